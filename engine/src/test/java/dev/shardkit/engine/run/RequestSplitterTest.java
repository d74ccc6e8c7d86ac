package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestSplitterTest {
    /** Reads of neighbouring slices of one object. */
    private static List<ReadTask> reads(int count, int length) {
        PlanRun<NoResult> run = new PlanRun<>(
                Plan.each(count, i -> Source.stored("k")
                        .read(new ByteRange.Slice(i * length, length), (a, s) -> NoResult.INSTANCE)),
                1 << 20);
        List<ReadTask> out = new ArrayList<>();
        for (Optional<PlanRun.Task> t = run.next(); t.isPresent(); t = run.next()) {
            out.add((ReadTask) t.get());
        }
        return out;
    }

    private static List<MergedRead> merged(int count, int length) {
        return RequestMerger.merge(reads(count, length), new MergePolicy(0, 1 << 30, 1));
    }

    private static List<Integer> sizes(List<MergedRead> requests) {
        return requests.stream().map(r -> r.tasks().size()).toList();
    }

    @Test
    void requests_areCutForAllWorkers_andNoFurther() {
        assertEquals(List.of(4096), sizes(RequestSplitter.split(merged(4096, 256), 0, 1)));
        assertEquals(List.of(1024, 1024, 1024, 1024), sizes(RequestSplitter.split(merged(4096, 256), 0, 2)));
        assertEquals(128, RequestSplitter.split(merged(4096, 256), 0, 64).size());
        assertEquals(128, RequestSplitter.split(merged(4096, 256), 0, 1000).size(), "of 32 reads");
        assertEquals(
                IntStream.range(0, 8).mapToObj(i -> 2).toList(),
                sizes(RequestSplitter.split(merged(16, 32 << 10), 0, 64)));
        assertEquals(List.of(3), sizes(RequestSplitter.split(merged(3, 100), 0, 64)));
    }

    @Test
    void requests_areNotCut_ifUnitsWait() {
        assertEquals(List.of(4096), sizes(RequestSplitter.split(merged(4096, 256), 3, 2)));
        assertEquals(List.of(2048, 2048), sizes(RequestSplitter.split(merged(4096, 256), 2, 2)));
    }

    @Test
    void portions_coverTheRequest() {
        List<MergedRead> cut = RequestSplitter.split(merged(1000, 7), 0, 4);
        long at = 0;
        for (MergedRead portion : cut) {
            ByteRange.Slice range = (ByteRange.Slice) portion.range();
            assertEquals(at, range.offset());
            assertEquals(7L * portion.tasks().size(), range.length());
            assertEquals(0, portion.offsetOf(portion.tasks().get(0)));
            at = range.end();
        }
        assertEquals(7000, at);
    }

    /** Each part waits until as many are at work as there are workers. */
    @Test
    void tinyParts_ofOneObject_areDecodedByAllWorkers() throws Exception {
        int workers = 4;
        LocalStore store = new LocalStore().with("k", new byte[4096]);
        AtomicInteger met = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(workers, met::incrementAndGet);
        Engine engine = Runs.engine(workers);
        engine.call(
                () -> Plan.each(4096, i -> Source.stored("k").read(new ByteRange.Slice(i, 1), (a, s) -> {
                    if (i % 512 == 0) { // the first of a portion
                        meet(together);
                    }
                    return NoResult.INSTANCE;
                })),
                Runs.merging(store, new MergePolicy(0, 1 << 20, 1)));
        assertEquals(2, met.get());
    }

    private static void meet(CyclicBarrier together) {
        try {
            together.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("fewer workers than there could be", e);
        }
    }
}
