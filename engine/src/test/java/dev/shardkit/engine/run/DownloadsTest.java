package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts of an object are decoded while the whole object arrives, whose bytes the test feeds by hand. */
@Timeout(180)
class DownloadsTest {
    /** The size of a part; the last part is the index. */
    private static final int PART = 10;

    private static final int PARTS = 4;
    private static final int ALL = (PARTS + 1) * PART;

    /** A request for the object or a part of it, whose bytes the test gives. */
    private record Asked(HandFedStore.Asked request) {
        ByteRange range() {
            return request.range();
        }

        CompletableFuture<FetchResult> future() {
            return request.future();
        }

        void come(int bytes, String version) {
            request.arrival().received(found(0, bytes, version));
        }

        void complete(String version) {
            long length = range() instanceof ByteRange.Slice s
                    ? s.length()
                    : range() instanceof ByteRange.Suffix ? PART : ALL;
            long from = range() instanceof ByteRange.Slice s ? s.offset() : ALL - length;
            future().complete(found((int) from, (int) length, version));
        }

        private static FetchResult.Found found(int from, int bytes, String version) {
            byte[] object = new byte[ALL];
            for (int i = 0; i < ALL; i++) {
                object[i] = (byte) (i / PART);
            }
            return new FetchResult.Found(Bytes.of(object, from, bytes), ALL, Optional.of(version));
        }
    }

    private HandFedStore store = new HandFedStore(true);
    private final Runs.Stepping executor = new Runs.Stepping();
    private final List<String> decoded = new ArrayList<>();

    /** Reads the index, then {@code PARTS} parts from {@code first} on. */
    private CompletableFuture<NoResult> start(long most, ByteRange index, long first) {
        Plan<NoResult> plan = parts(Source.stored("k").expectingWholeRead(most), index, first);
        return Runs.engine(executor, 1).start(() -> plan, Runs.merging(store, new MergePolicy(0, ALL, 4)));
    }

    private Plan<NoResult> parts(Source object, ByteRange index, long first) {
        return object.read(index, (answer, scratch) -> note("index", answer))
                .then(done -> Plan.each(
                        PARTS,
                        i -> object.read(
                                new ByteRange.Slice(first + i * PART, PART),
                                (answer, scratch) -> note("part " + i, answer))));
    }

    private CompletableFuture<NoResult> start() {
        return start(ALL, new ByteRange.Suffix(PART), 0);
    }

    private NoResult note(String what, ReadResult answer) {
        Bytes bytes = ((ReadResult.Found) answer).bytes();
        assertEquals(PART, bytes.size());
        decoded.add(what + ":" + bytes.toArray()[0]);
        return NoResult.INSTANCE;
    }

    private Asked next(Class<? extends ByteRange> range) {
        Asked next = new Asked(store.asked.remove());
        assertInstanceOf(range, next.range());
        return next;
    }

    @Test
    void indexAndObject_areRequestedAtOnce_andPartsAreDecodedAsTheyArrive() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked index = next(ByteRange.Suffix.class);
        Asked object = next(ByteRange.Whole.class);
        object.come(PART, "v");
        executor.runAll();
        assertEquals(List.of(), decoded, "the index says where parts are");
        index.complete("v");
        executor.runAll();
        assertEquals(List.of("index:4", "part 0:0"), decoded);
        object.come(PART + PART / 2, "v");
        executor.runAll();
        assertEquals(2, decoded.size());
        object.come(3 * PART, "v");
        executor.runAll();
        assertEquals(List.of("index:4", "part 0:0", "part 1:1", "part 2:2"), decoded);
        object.come(ALL, "v");
        executor.runAll();
        assertEquals(4, decoded.size(), "the last part waits for the checked answer");
        assertFalse(future.isDone());
        object.complete("v");
        executor.runAll();
        future.get();
        assertEquals(List.of("index:4", "part 0:0", "part 1:1", "part 2:2", "part 3:3"), decoded);
        assertNull(store.asked.peek(), "a further request");
    }

    @Test
    void objectThatIsHereFirst_isDecodedWhenTheIndexIs() throws Exception {
        CompletableFuture<NoResult> future = start();
        Asked index = next(ByteRange.Suffix.class);
        next(ByteRange.Whole.class).complete("v");
        executor.runAll();
        assertEquals(List.of(), decoded);
        index.complete("v");
        executor.runAll();
        future.get();
        assertEquals(5, decoded.size());
        assertNull(store.asked.peek(), "a further request");
    }

    @Test
    void indexAtTheStart_comesWithTheObject() throws Exception {
        CompletableFuture<NoResult> future = start(ALL, new ByteRange.Slice(0, PART), PART);
        Asked object = next(ByteRange.Whole.class);
        assertNull(store.asked.peek(), "a request for the index");
        object.come(3 * PART, "v");
        executor.runAll();
        assertEquals(List.of("index:0", "part 0:1", "part 1:2"), decoded);
        object.complete("v");
        executor.runAll();
        future.get();
        assertEquals(5, decoded.size());
    }

    @Test
    void largerObject_isReadInParts() throws Exception {
        CompletableFuture<NoResult> future = start(ALL - 1, new ByteRange.Suffix(PART), 0);
        Asked index = next(ByteRange.Suffix.class);
        Asked object = next(ByteRange.Whole.class);
        index.complete("v");
        executor.runAll();
        object.future().complete(new FetchResult.Found(Bytes.EMPTY, ALL, Optional.of("v")));
        executor.runAll();
        Asked parts = next(ByteRange.Slice.class);
        assertEquals(new ByteRange.Slice(0, PARTS * PART), parts.range());
        parts.complete("v");
        executor.runAll();
        future.get();
        assertEquals(5, decoded.size());
    }

    @Test
    void partPastTheEnd_isARequestOfItsOwn_whichTheStoreRefuses() {
        CompletableFuture<NoResult> future = start(ALL, new ByteRange.Suffix(PART), 2 * PART);
        next(ByteRange.Suffix.class).complete("v");
        executor.runAll();
        next(ByteRange.Whole.class).complete("v");
        executor.runAll();
        Asked past = next(ByteRange.Slice.class);
        assertEquals(new ByteRange.Slice(ALL, PART), past.range());
        past.future().completeExceptionally(new StoreException("past the end"));
        executor.runAll();
        assertInstanceOf(
                StoreException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void otherVersionThanTheIndex_isReadAgain() throws Exception {
        for (boolean early : new boolean[] {false, true}) {
            decoded.clear();
            CompletableFuture<NoResult> future = start();
            next(ByteRange.Suffix.class).complete("v");
            executor.runAll();
            Asked object = next(ByteRange.Whole.class);
            if (early) {
                object.come(3 * PART, "w");
            } else {
                object.complete("w");
            }
            executor.runAll();
            assertEquals(List.of("index:4"), decoded);
            assertEquals(early, object.future().isCancelled());
            next(ByteRange.Suffix.class).complete("w");
            next(ByteRange.Whole.class).complete("w");
            executor.runAll();
            future.get();
            assertEquals(6, decoded.size());
        }
    }

    @Test
    void otherVersionThanTheIndex_readsOnlyThatPartAgain() throws Exception {
        Source a = Source.stored("a").expectingWholeRead(ALL);
        Source b = Source.stored("b").expectingWholeRead(ALL);
        PartedRead<NoResult> parts =
                new PartedRead<>(2, i -> parts(i == 0 ? a : b, new ByteRange.Suffix(PART), 0), () -> NoResult.INSTANCE);
        CompletableFuture<NoResult> future =
                Runs.engine(executor, 1).startParts(() -> parts, Runs.merging(store, new MergePolicy(0, ALL, 4)));
        executor.runAll();
        List<Asked> first = store.asked.stream().map(Asked::new).toList();
        store.asked.clear();
        assertEquals(4, first.size(), first::toString);
        first.stream().filter(r -> r.range() instanceof ByteRange.Suffix).forEach(r -> r.complete("v"));
        executor.runAll();
        List<Asked> objects =
                first.stream().filter(r -> r.range() instanceof ByteRange.Whole).toList();
        objects.get(0).come(3 * PART, "w");
        executor.runAll();
        objects.get(1).complete("v");
        objects.get(0).complete("w");
        executor.runAll();
        next(ByteRange.Suffix.class).complete("w");
        next(ByteRange.Whole.class).complete("w");
        executor.runAll();
        future.get();
        assertEquals(2 + PARTS + 1 + PARTS, decoded.size(), decoded::toString);
    }

    @Test
    void objectThatVanishes_isReadAgain() {
        CompletableFuture<NoResult> future = start();
        for (int i = 0; i < 10 && !store.asked.isEmpty(); i++) {
            next(ByteRange.Suffix.class).complete("v");
            next(ByteRange.Whole.class).future().complete(new FetchResult.Absent());
            executor.runAll();
        }
        assertInstanceOf(
                ObjectChangedException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void retryWithFewerBytes_decodesEachPartOnce() throws Exception {
        CompletableFuture<NoResult> future = start();
        next(ByteRange.Suffix.class).complete("v");
        Asked object = next(ByteRange.Whole.class);
        object.come(3 * PART, "v");
        executor.runAll();
        object.come(PART, "v");
        executor.runAll();
        object.complete("v");
        object.come(ALL, "v");
        executor.runAll();
        future.get();
        assertEquals(List.of("index:4", "part 0:0", "part 1:1", "part 2:2", "part 3:3"), decoded);
    }

    @Test
    void failureOfTheObject_endsTheRun() {
        CompletableFuture<NoResult> future = start();
        next(ByteRange.Suffix.class).complete("v");
        Asked object = next(ByteRange.Whole.class);
        object.come(PART, "v");
        executor.runAll();
        object.future().completeExceptionally(new StoreException("broken"));
        executor.runAll();
        assertInstanceOf(
                StoreException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void cancelledMidway_cancelsBothRequests_andEnds() {
        CompletableFuture<NoResult> future = start();
        Asked index = next(ByteRange.Suffix.class);
        Asked object = next(ByteRange.Whole.class);
        object.come(3 * PART, "v");
        future.cancel(true);
        assertTrue(index.future().isCancelled() && object.future().isCancelled());
        object.come(4 * PART, "v");
        executor.runAll();
        assertEquals(List.of(), decoded);
        assertNull(store.asked.peek(), "a further request");
    }

    @Test
    void indexFromABeginning_isNotCached_becauseTheAnswerMayBeRefused() throws Exception {
        ReadContext context = Runs.context(store);
        Source object = Source.stored("k").expectingWholeRead(ALL);
        Decoder<NoResult> index = Decoder.kept("index", unit -> 1, (answer, scratch) -> note("index", answer));
        Plan<NoResult> plan = object.read(new ByteRange.Slice(0, PART), index)
                .then(done -> object.read(new ByteRange.Slice(PART, PART), (answer, scratch) -> note("part", answer)));
        for (boolean early : new boolean[] {true, false, false}) {
            CompletableFuture<NoResult> future = Runs.engine(executor, 1).start(() -> plan, context);
            executor.runAll();
            Asked whole = next(ByteRange.Whole.class);
            if (early) {
                whole.come(PART, "v");
                executor.runAll();
            }
            whole.complete("v");
            executor.runAll();
            future.get();
        }
        assertEquals(
                List.of("index:0", "part:1", "index:0", "part:1", "part:1"),
                decoded,
                "the complete answer is cached, its beginning is not");
    }

    @Test
    void storeThatPassesNoBeginnings_isReadInParts() throws Exception {
        store = new HandFedStore(false);
        CompletableFuture<NoResult> future = start();
        next(ByteRange.Suffix.class).complete("v");
        executor.runAll();
        next(ByteRange.Slice.class).complete("v");
        executor.runAll();
        future.get();
        assertEquals(5, decoded.size());
    }
}
