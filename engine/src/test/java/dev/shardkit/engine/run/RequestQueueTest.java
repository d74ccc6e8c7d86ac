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
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestQueueTest {
    private MergePolicy policy = new MergePolicy(0, 1000, 2);
    private final RequestQueue outbox = new RequestQueue(() -> policy);

    /** Ten slices of ten bytes, ten bytes apart. */
    private static List<ReadTask> reads() {
        Plan<NoResult> plan = Plan.each(
                10,
                i -> new Plan.Need<>(
                        new ReadRequest<>(
                                "k",
                                new ByteRange.Slice(20 * i, 10),
                                DataLocation.nowhere(),
                                (a, s) -> NoResult.INSTANCE),
                        (v, s) -> Plan.done()));
        PlanRun<NoResult> run = new PlanRun<>(plan, 100);
        List<ReadTask> tasks = new ArrayList<>();
        for (Optional<PlanRun.Task> t = run.next(); t.isPresent(); t = run.next()) {
            tasks.add((ReadTask) t.get());
        }
        return tasks;
    }

    @Test
    void whatIsNotSent_isMergedAnew_whenThePolicyChanges_andEachReadIsServedOnce() {
        List<ReadTask> reads = reads();
        outbox.add(reads);
        outbox.addCheck("other");
        assertEquals(2, outbox.parallel());
        assertEquals(11, outbox.size());
        Set<ReadTask> served = Collections.newSetFromMap(new IdentityHashMap<>());
        served.addAll(outbox.take().tasks());
        policy = new MergePolicy(10, 1000, 7);
        assertEquals(7, outbox.parallel());
        assertEquals(2, outbox.size(), "the check, and nine reads as one");
        int checks = 0;
        while (!outbox.isEmpty()) {
            MergedRead next = outbox.take();
            checks += next.tasks().isEmpty() ? 1 : 0;
            for (ReadTask t : next.tasks()) {
                assertTrue(served.add(t), "served twice");
            }
        }
        assertEquals(1, checks);
        assertEquals(reads.size(), served.size());
    }

    @Test
    void rangesThatMayStillBeMerged_waitForThePolicysNumber_andOthersForTheStores() {
        RequestQueue wide = new RequestQueue(() -> policy, p -> 100);
        wide.add(reads());
        wide.addCheck("other");
        for (int i = 0; i < 9; i++) {
            assertEquals(2, wide.parallel(), "the next two are of one object");
            wide.take();
        }
        assertEquals(100, wide.parallel(), "the last of its object");
        wide.take();
        assertEquals(100, wide.parallel());
        wide.take();
        wide.add(reads().subList(0, 1));
        assertEquals(100, wide.parallel());
    }

    @Test
    void storesNumber_neverTakesFromThePolicys() {
        RequestQueue narrow = new RequestQueue(() -> policy, p -> 1);
        narrow.addCheck("other");
        assertEquals(2, narrow.parallel());
    }
}
