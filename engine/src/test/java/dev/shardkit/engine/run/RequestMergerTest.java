package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestMergerTest {
    private static List<ReadTask> tasks(List<ByteRange> ranges, List<String> keys) {
        Plan<NoResult> plan = Plan.each(
                ranges.size(),
                i -> new Plan.Need<>(
                        new ReadRequest<>(
                                keys.get((int) i % keys.size()),
                                ranges.get((int) i),
                                DataLocation.nowhere(),
                                (a, s) -> NoResult.INSTANCE),
                        (v, s) -> Plan.done()));
        PlanRun<NoResult> run = new PlanRun<>(plan, 1 << 20);
        List<ReadTask> tasks = new ArrayList<>();
        for (Optional<PlanRun.Task> t = run.next(); t.isPresent(); t = run.next()) {
            tasks.add((ReadTask) t.get());
        }
        return tasks;
    }

    private static ByteRange slice(long offset, long length) {
        return new ByteRange.Slice(offset, length);
    }

    private static List<ByteRange> merged(MergePolicy policy, ByteRange... ranges) {
        return RequestMerger.merge(tasks(List.of(ranges), List.of("k")), policy).stream()
                .map(MergedRead::range)
                .toList();
    }

    @Test
    void gap_isRespected_toTheByte() {
        MergePolicy policy = new MergePolicy(5, 1000, 1);
        assertEquals(List.of(slice(0, 25)), merged(policy, slice(15, 10), slice(0, 10)));
        assertEquals(List.of(slice(0, 10), slice(16, 10)), merged(policy, slice(16, 10), slice(0, 10)));
    }

    @Test
    void largest_isRespected_unlessOneIsLargerItself() {
        MergePolicy policy = new MergePolicy(0, 20, 1);
        assertEquals(List.of(slice(0, 20), slice(20, 10)), merged(policy, slice(0, 10), slice(10, 10), slice(20, 10)));
        assertEquals(List.of(slice(0, 50)), merged(policy, slice(0, 50), slice(10, 5), slice(10, 5)));
    }

    @Test
    void duplicatesAndEmptySlices_areServedByOneRequest() {
        MergePolicy policy = new MergePolicy(0, 100, 1);
        assertEquals(List.of(slice(3, 7)), merged(policy, slice(3, 7), slice(3, 7), slice(3, 0), slice(10, 0)));
    }

    @Test
    void wholeAndSuffix_areNotMerged() {
        ByteRange suffix = new ByteRange.Suffix(4);
        assertEquals(
                List.of(suffix, ByteRange.whole(9), slice(0, 4)),
                merged(new MergePolicy(100, 100, 1), suffix, ByteRange.whole(9), slice(0, 4)));
    }

    @Test
    void whenThereAreMoreRequestsThanMayBeUnderWay_theNarrowestGapsAreRead_andNoMore() {
        ByteRange[] ranges = {slice(0, 10), slice(40, 10), slice(60, 10), slice(100, 10), slice(130, 10)};
        assertEquals(
                List.of(slice(0, 10), slice(40, 30), slice(100, 10), slice(130, 10)),
                merged(new MergePolicy(5, 1000, 1000, 4), ranges));
        assertEquals(List.of(slice(0, 70), slice(100, 40)), merged(new MergePolicy(5, 1000, 1000, 2), ranges));
        assertEquals(5, merged(new MergePolicy(5, 1000, 1000, 5), ranges).size(), "enough are under way at once");
        assertEquals(4, merged(new MergePolicy(5, 15, 1000, 2), ranges).size(), "no gap wider than the widest");
        assertEquals(
                List.of(slice(0, 10), slice(40, 30), slice(100, 40)),
                merged(new MergePolicy(5, 1000, 60, 1), ranges),
                "no request larger than the largest");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void randomReads_areCoveredOnceEach_withinThePolicy(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int gap = random.nextInt(20);
            MergePolicy policy =
                    new MergePolicy(gap, gap + random.nextInt(60), 1 + random.nextInt(200), 1 + random.nextInt(20));
            List<ByteRange> ranges = new ArrayList<>();
            for (int i = random.nextInt(60); i >= 0; i--) {
                ranges.add(slice(random.nextInt(1000), random.nextInt(4) == 0 ? 0 : random.nextInt(50)));
            }
            List<ReadTask> tasks = tasks(ranges, List.of("a", "b", "c"));
            check(tasks, RequestMerger.merge(tasks, policy), policy);
        }
    }

    private static void check(List<ReadTask> tasks, List<MergedRead> merged, MergePolicy policy) {
        Set<ReadTask> served = Collections.newSetFromMap(new IdentityHashMap<>());
        for (MergedRead m : merged) {
            ByteRange.Slice all = (ByteRange.Slice) m.range();
            long reach = all.offset();
            long longest = 0;
            for (ReadTask t : m.tasks()) {
                ByteRange.Slice own = (ByteRange.Slice) t.request().range();
                assertTrue(served.add(t), "served twice");
                assertEquals(m.key(), t.request().key());
                assertTrue(own.offset() >= all.offset() && own.end() <= all.end(), own + " in " + all);
                assertEquals(own.offset() - all.offset(), m.offsetOf(t));
                assertTrue(own.offset() - reach <= policy.widestGap(), "a gap before " + own);
                reach = Math.max(reach, own.end());
                longest = Math.max(longest, own.length());
            }
            assertEquals(all.end(), reach);
            assertTrue(all.length() <= Math.max(policy.largest(), longest), all + " is larger than " + policy);
        }
        assertEquals(tasks.size(), served.size());
    }
}
