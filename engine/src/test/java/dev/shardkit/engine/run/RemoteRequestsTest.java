package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RemoteRequestsTest {
    private final RemoteStore store = new RemoteStore().with("k", Runs.shard("hello"));
    private final ValueCache cache = new ValueCache(1 << 20);
    private final Engine engine = Runs.engine(2);

    private String read() {
        return engine.call(() -> Runs.indexed("k"), Runs.context(store, cache, StoreListener.NONE));
    }

    private List<Optional<String>> pins(int from) {
        return store.asked().subList(from, store.requests()).stream()
                .map(RemoteStore.Asked::pin)
                .toList();
    }

    @Test
    void keptIndex_savesARequest_andPinsTheOther() {
        assertEquals("hello", read());
        assertEquals(List.of(Optional.empty(), Optional.of("v1")), pins(0));
        assertEquals("hello", read());
        assertEquals(List.of(Optional.of("v1")), pins(2));
    }

    @Test
    void staleKeptIndex_isNotCombinedWithOtherContent() {
        read();
        store.with("k", "47..other".getBytes());
        assertEquals("oth", read());
    }

    @Test
    void staleKeptIndex_pastTheEndOfASmallerObject_isReadAgain() {
        read();
        store.with("k", "23x".getBytes());
        assertEquals("x", read());
    }

    @Test
    void objectThatCameOrWent_isReadAgain() {
        read();
        store.without("k");
        assertEquals("absent", read());
        store.with("k", Runs.shard("back"));
        assertEquals("back", read());
    }

    @Test
    void versionThatTheStoreNoLongerTells_isAnotherVersion() {
        read();
        store.withoutVersion("k", "46..other".getBytes());
        assertEquals("ot", read());
    }

    @Test
    void storeWithoutVersions_keepsNothing() {
        store.withoutVersion("k", Runs.shard("hello"));
        read();
        assertEquals("hello", read());
        assertEquals(4, store.requests());
        assertEquals(0, cache.weight());
    }

    private String index() {
        return engine.call(
                () -> Source.stored("k")
                        .read(new ByteRange.Slice(0, 2), Decoder.kept("index", s -> 2, (a, s) -> Runs.text(a))),
                Runs.context(store, cache, StoreListener.NONE));
    }

    @Test
    void keptValueAlone_isCheckedByOneByte() {
        index();
        assertEquals("27", index());
        assertEquals(
                new RemoteStore.Asked("k", new ByteRange.Slice(0, 1), Optional.of("v1")),
                store.asked().get(1));
        store.with("k", Runs.shard("much more").clone());
        assertEquals("2;", index());
        assertEquals(4, store.requests(), "the check, and the index again");
    }

    @Test
    void keptValueSeenAMomentAgo_orOfWhatNeverChanges_isNotChecked() {
        index();
        store.freshFor = java.time.temporal.ChronoUnit.FOREVER.getDuration();
        index();
        store.freshFor = Duration.ZERO;
        engine.call(
                () -> Source.stored("k")
                        .read(new ByteRange.Slice(0, 2), Decoder.kept("index", s -> 2, (a, s) -> Runs.text(a))),
                new ReadContext(
                        store,
                        Runs.ARRAY,
                        MergePolicy::remote,
                        cache,
                        ReadContext.Freshness.IMMUTABLE,
                        StoreListener.NONE));
        assertEquals(1, store.requests());
    }

    @Test
    void whatWasKeptWithoutAVersion_isOnlyForThoseWhoKnowThatNothingChanges() {
        store.withoutVersion("k", Runs.shard("much").clone());
        Plan<String> index = Source.stored("k")
                .read(new ByteRange.Slice(0, 2), Decoder.kept("index", s -> 2, (a, s) -> Runs.text(a)));
        ReadContext immutable = new ReadContext(
                store, Runs.ARRAY, MergePolicy::remote, cache, ReadContext.Freshness.IMMUTABLE, StoreListener.NONE);
        String before = engine.call(() -> index, immutable);
        assertEquals(before, engine.call(() -> index, immutable));
        assertEquals(1, store.requests(), "kept");
        store.withoutVersion("k", "99 something else".getBytes());
        assertEquals("99", engine.call(() -> index, Runs.context(store, cache, StoreListener.NONE)));
    }

    @Test
    void corruptionSeenThroughAKeptValue_isBelievedOnlyWhenFresh() {
        read();
        store.with("k", "23x".getBytes());
        AtomicInteger attempts = new AtomicInteger();
        Plan<String> strict = Source.stored("k")
                .read(new ByteRange.Slice(0, 2), Decoder.<String>kept("index", s -> s.length(), (a, s) -> Runs.text(a)))
                .map(index -> {
                    attempts.incrementAndGet();
                    if (!index.equals("23")) {
                        throw new CorruptDataException("an entry past the end");
                    }
                    return index;
                });
        assertEquals("23", engine.call(() -> strict, Runs.context(store, cache, StoreListener.NONE)));
        assertEquals(2, attempts.get());
    }

    @Test
    void objectChangedBetweenIndexAndContent_isReadAgain() throws Exception {
        store.asking();
        CompletableFuture<String> future =
                engine.start(() -> Runs.indexed("k"), Runs.context(store, cache, StoreListener.NONE));
        store.answer(store.pending.take());
        store.with("k", Runs.shard("world"));
        for (int i = 0; i < 3; i++) {
            store.answer(store.pending.take());
        }
        assertEquals("world", future.get());
        assertEquals(4, store.requests());
    }

    @Test
    void objectThatKeepsChanging_isADeclaredError() {
        AtomicInteger told = new AtomicInteger();
        StoreListener listener = new StoreListener() {
            @Override
            public void onChanged(String key, int attempt) {
                assertEquals("k", key);
                assertEquals(told.incrementAndGet(), attempt);
            }
        };
        Delegating changing = new Delegating(ask -> {
            store.with("k", Runs.shard("hello"));
            return store.fetch(ask.key(), ask.range(), Optional.empty(), StoreListener.NONE);
        });
        ObjectChangedException e = assertThrows(
                ObjectChangedException.class,
                () -> engine.call(() -> Runs.indexed("k"), Runs.context(changing, cache, listener)));
        assertTrue(
                e.getMessage().contains("array test:array, shard or chunk k, inner chunk [7], bytes 2 to 7"),
                e.getMessage());
        assertEquals(4, told.get());
        told.set(0);
        CompletableFuture<String> future =
                engine.start(() -> Runs.indexed("k"), Runs.context(changing, cache, listener));
        assertInstanceOf(
                ObjectChangedException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
        assertEquals(4, told.get());
    }

    @Test
    void pinThatDoesNotHold_isReadAgain() throws Exception {
        read();
        store.asking();
        CompletableFuture<String> future =
                engine.start(() -> Runs.indexed("k"), Runs.context(store, cache, StoreListener.NONE));
        store.refuse(store.pending.take());
        RemoteStore.Pending index = store.pending.take();
        assertEquals(new ByteRange.Slice(0, 2), index.asked().range(), "the index is read anew");
        store.answer(index);
        store.answer(store.pending.take());
        assertEquals("hello", future.get());
    }

    @Test
    void manyRequests_answeredAtOnce_takeNoStack() {
        int requests = Rounds.of(30_000);
        byte[] object = new byte[3 * requests];
        store.with("big", object);
        Plan<NoResult> plan = Plan.each(requests, i -> Runs.text(Source.stored("big"), new ByteRange.Slice(3 * i, 1))
                .map(s -> NoResult.INSTANCE));
        ReadContext unmerged = Runs.merging(store, new MergePolicy(0, 1, 16));
        engine.call(() -> plan, unmerged);
        assertEquals(requests, store.requests());
        Runs.engine(Runnable::run, 2).start(() -> plan, unmerged).join();
        assertEquals(2 * requests, store.requests());
    }

    private static Plan<NoResult> slices(long length) {
        return Plan.each(100, i -> Runs.text(Source.stored("k" + i), new ByteRange.Slice(0, length))
                .map(s -> NoResult.INSTANCE));
    }

    @Test
    void requestsOut_areBoundedByNumber_andByBytes() {
        store.asking();
        Plan<NoResult> small = slices(1);
        CompletableFuture<NoResult> few = engine.start(() -> small, Runs.merging(store, new MergePolicy(0, 1, 5)));
        assertEquals(5, store.requests());
        few.cancel(true);
        Plan<NoResult> large = slices(50 << 20);
        CompletableFuture<NoResult> heavy = engine.start(() -> large, Runs.merging(store, new MergePolicy(0, 1, 50)));
        assertEquals(7, store.requests(), "two of 50 MiB are under way");
        heavy.cancel(true);
        assertEquals(7, store.requests(), "and none is sent after the end");
    }

    @Test
    void bytesThatWaitToBeDecoded_countAsUnderWay() throws Exception {
        Runs.Stepping executor = new Runs.Stepping();
        byte[] object = new byte[40 << 20];
        RemoteStore served = new RemoteStore()
                .with("a", object)
                .with("b", object)
                .with("c", object)
                .with("d", object);
        Plan<NoResult> plan =
                Plan.each(4, i -> Source.stored(List.of("a", "b", "c", "d").get((int) i))
                        .read(new ByteRange.Slice(0, object.length), (answer, scratch) -> NoResult.INSTANCE));
        CompletableFuture<NoResult> future =
                Runs.engine(executor, 1).start(() -> plan, Runs.merging(served, MergePolicy.remote()));
        assertEquals(3, served.requests(), "all answered, none decoded: the fourth would be too much");
        executor.runAll();
        future.get();
        assertEquals(4, served.requests());
    }

    @Test
    void wholeObjects_areBoundedToo() {
        store.asking();
        Plan<NoResult> plan = Plan.each(
                100, i -> Runs.text(Source.stored("k" + i), ByteRange.whole()).map(s -> NoResult.INSTANCE));
        CompletableFuture<NoResult> future = engine.start(() -> plan, Runs.merging(store, new MergePolicy(0, 1, 50)));
        assertEquals(8, store.requests());
        future.cancel(true);
    }

    /** A store that breaks its contract, in a request at a time. */
    private record Delegating(Function<RemoteStore.Asked, CompletableFuture<FetchResult>> answers)
            implements Store, RemoteReads {
        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            return answers.apply(new RemoteStore.Asked(request.key(), request.range(), request.pin()));
        }

        @Override
        public String describe() {
            return "odd:";
        }
    }

    private StoreException failure(Function<RemoteStore.Asked, CompletableFuture<FetchResult>> answers) {
        ReadContext context = Runs.context(new Delegating(answers));
        assertThrows(ExecutionException.class, () -> engine.start(() -> Runs.indexed("k"), context)
                .get());
        return assertThrows(StoreException.class, () -> engine.call(() -> Runs.indexed("k"), context));
    }

    @Test
    @SuppressWarnings("NullAway")
    void storesThatBreakTheirContract_endInDeclaredErrors() {
        assertEquals(
                "expected 2 bytes, found 1 [array test:array, shard or chunk k, bytes 0 to 2]",
                failure(a -> found(Bytes.of(new byte[1]))).getMessage());
        assertTrue(failure(a -> null).getMessage().contains("no future"));
        assertTrue(failure(a -> CompletableFuture.completedFuture(null))
                .getMessage()
                .contains("found nothing"));
        assertTrue(failure(a -> {
                    throw new IllegalStateException("oops");
                })
                .getMessage()
                .contains("oops"));
        assertTrue(failure(a -> {
                    CompletableFuture<FetchResult> cancelled = new CompletableFuture<>();
                    cancelled.cancel(true);
                    return cancelled;
                })
                .getMessage()
                .contains("the store failed"));
    }

    private static CompletableFuture<FetchResult> found(Bytes bytes) {
        return CompletableFuture.completedFuture(new FetchResult.Found(bytes, 100, Optional.of("v")));
    }

    @Test
    void wholeObjectLargerThanItCanBe_isCorrupt() {
        CorruptDataException e = assertThrows(
                CorruptDataException.class,
                () -> engine.call(() -> Runs.text(Source.stored("k"), ByteRange.whole(6)), Runs.context(store)));
        assertTrue(e.getMessage().startsWith("expected at most 6 bytes, found 7"), e.getMessage());
    }

    @Test
    void neighboursInAShard_areOneRequest() {
        store.with("row", "abcdefgh".getBytes());
        Source row = Source.stored("row");
        assertEquals(
                List.of("ab", "cd", "ab", "gh"),
                engine.call(
                        () -> Plan.all(
                                4, i -> Runs.text(row, new ByteRange.Slice(new long[] {0, 2, 0, 6}[(int) i], 2))),
                        Runs.context(store)));
        assertEquals(1, store.requests());
    }
}
