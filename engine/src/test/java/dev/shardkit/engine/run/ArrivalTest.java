package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.PartialResponseReceiver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Merged reads are decoded while the bytes of their answer arrive, which the test feeds by hand. */
@Timeout(180)
class ArrivalTest {
    private static final int PARTS = 8;
    private static final int PART = 128 << 10;
    private static final int ALL = PARTS * PART;

    /** A request for the object, whose bytes the test gives. */
    private record Asked(HandFedStore.Asked request) {
        void come(byte[] object, int bytes, String version) {
            request.arrival().received(found(object, bytes, version));
        }

        void complete(byte[] object, String version) {
            request.future().complete(found(object, object.length, version));
        }

        CompletableFuture<FetchResult> future() {
            return request.future();
        }

        private static FetchResult.Found found(byte[] object, int bytes, String version) {
            return new FetchResult.Found(Bytes.of(object, 0, bytes), object.length, Optional.of(version));
        }
    }

    private final HandFedStore store = new HandFedStore(false);
    private final Runs.Stepping executor = new Runs.Stepping();
    private final List<String> decoded = new ArrayList<>();

    private Asked next() throws InterruptedException {
        return new Asked(store.asked.take());
    }

    private CompletableFuture<NoResult> start() {
        Source object = Source.stored("k");
        Plan<NoResult> plan = Plan.each(
                PARTS,
                i -> object.read(new ByteRange.Slice(i * PART, PART), (answer, scratch) -> {
                    byte[] bytes = ((dev.shardkit.spi.plan.ReadResult.Found) answer)
                            .bytes()
                            .toArray();
                    assertEquals(PART, bytes.length);
                    decoded.add(i + ":" + bytes[0] + "," + bytes[PART - 1]);
                    return NoResult.INSTANCE;
                }));
        return Runs.engine(executor, 1).start(() -> plan, Runs.merging(store, new MergePolicy(0, ALL, 4)));
    }

    private static byte[] object(int add) {
        byte[] object = new byte[ALL];
        for (int i = 0; i < ALL; i++) {
            object[i] = (byte) (i / PART + add);
        }
        return object;
    }

    private static List<String> parts(int from, int to, int add) {
        List<String> parts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            parts.add(i + ":" + (i + add) + "," + (i + add));
        }
        return parts;
    }

    @Test
    void partsAreDecoded_asSoonAsTheirBytesAreHere_andOnce() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked request = next();
        request.come(object(0), PART - 1, "v");
        executor.runAll();
        assertEquals(List.of(), decoded, "no part is complete");
        request.come(object(0), 3 * PART, "v");
        executor.runAll();
        assertEquals(parts(0, 3, 0), decoded);
        request.come(object(0), 3 * PART + 1, "v");
        executor.runAll();
        assertEquals(parts(0, 3, 0), decoded);
        request.come(object(0), ALL, "v");
        executor.runAll();
        assertEquals(parts(0, PARTS - 1, 0), decoded, "the last part waits for the checked answer");
        assertFalse(future.isDone());
        request.complete(object(0), "v");
        executor.runAll();
        future.get();
        assertEquals(parts(0, PARTS, 0), decoded);
        assertEquals(0, store.asked.size());
    }

    @Test
    void beginningThatShrinksAfterARetry_isDecodedFromWhereItWas() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked request = next();
        request.come(object(0), 5 * PART, "v");
        request.come(object(0), 2 * PART, "v");
        request.come(object(0), 6 * PART, "v");
        request.complete(object(0), "v");
        request.come(object(0), ALL, "v");
        executor.runAll();
        future.get();
        assertEquals(parts(0, PARTS, 0), decoded);
    }

    @Test
    void bodyThatBreaks_failsTheRun_andNothingMoreIsDecoded() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked request = next();
        request.come(object(0), 2 * PART, "v");
        executor.runAll();
        request.future().completeExceptionally(new StoreException("broken"));
        request.come(object(0), 4 * PART, "v");
        executor.runAll();
        ExecutionException e = assertThrows(ExecutionException.class, future::get);
        assertInstanceOf(StoreException.class, e.getCause());
        assertEquals(parts(0, 2, 0), decoded);
    }

    @Test
    void otherVersionMidway_isReadAgainWhole() throws Exception {
        for (boolean atTheEnd : new boolean[] {false, true}) {
            decoded.clear();
            CompletableFuture<NoResult> future = start();
            Asked request = next();
            request.come(object(0), 2 * PART, "v");
            executor.runAll();
            if (atTheEnd) {
                request.complete(object(10), "w");
            } else {
                request.come(object(10), 4 * PART, "w");
            }
            executor.runAll();
            assertEquals(!atTheEnd, request.future().isCancelled());
            Asked again = next();
            again.complete(object(10), "w");
            executor.runAll();
            future.get();
            List<String> expected = parts(0, 2, 0);
            expected.addAll(parts(0, PARTS, 10));
            assertEquals(expected, decoded);
        }
    }

    @Test
    void objectThatKeepsChanging_isADeclaredError() throws Exception {
        CompletableFuture<NoResult> future = start();
        for (int i = 0; i < 5; i++) {
            Asked request = next();
            request.come(object(0), PART, "v" + i);
            request.come(object(0), 2 * PART, "w" + i);
            executor.runAll();
        }
        ExecutionException e = assertThrows(ExecutionException.class, future::get);
        assertInstanceOf(ObjectChangedException.class, e.getCause());
    }

    @Test
    void cancelledMidway_cancelsTheRequest_andDecodesNothing() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked request = next();
        request.come(object(0), 2 * PART, "v");
        future.cancel(true);
        assertEquals(true, request.future().isCancelled());
        request.come(object(0), 4 * PART, "v");
        executor.runAll();
        assertEquals(List.of(), decoded);
    }

    @Test
    void shortAnswers_passNothingEarly() throws Exception {
        Source object = Source.stored("k");
        Plan<NoResult> plan =
                Plan.each(2, i -> object.read(new ByteRange.Slice(i * 10, 10), (answer, scratch) -> NoResult.INSTANCE));
        CompletableFuture<NoResult> future =
                Runs.engine(executor, 1).start(() -> plan, Runs.merging(store, new MergePolicy(0, ALL, 4)));
        Asked request = next();
        assertEquals(PartialResponseReceiver.NONE, request.request().arrival());
        request.complete(new byte[20], "v");
        executor.runAll();
        future.get();
    }
}
