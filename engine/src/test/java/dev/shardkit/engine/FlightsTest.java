package dev.shardkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many readers at one shard whose index nobody has yet. */
@Timeout(120)
class FlightsTest {
    private static final int READERS = 64;
    private static final ByteRange INDEX = new ByteRange.Slice(0, 2);

    private final FarStore far = new FarStore().with("k", Runs.shard("hello"));
    private final NearStore near = new NearStore().with("k", Runs.shard("hello"));
    private final ValueCache cache = new ValueCache(1 << 20);
    private final Engine engine = Runs.engine(2);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
        assertEquals(0, cache.flights().size(), "flights that nobody has forgotten");
    }

    private ReadContext context(Reads store) {
        return Runs.context(store, cache, StoreListener.NONE);
    }

    private List<CompletableFuture<String>> start(int count) {
        return Stream.generate(() -> engine.start(() -> Runs.indexed("k"), context(far)))
                .limit(count)
                .toList();
    }

    private static void assertAll(String expected, List<CompletableFuture<String>> readers) {
        readers.forEach(r -> assertEquals(expected, r.join()));
    }

    private long indexRequests() {
        return far.asked().stream().filter(a -> a.range().equals(INDEX)).count();
    }

    private void answerAll(FarStore.Pending first) {
        far.answersAtOnce = true;
        far.answer(first);
    }

    @Test
    void asynchronousReaders_waitForOneRequest() throws Exception {
        far.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        assertEquals(1, far.requests());
        answerAll(far.pending.take());
        assertAll("hello", readers);
        assertEquals(1, indexRequests());
        assertEquals(1 + READERS, far.requests());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threads_makeOneRequest(boolean fresh) throws Exception {
        far.freshFor = fresh ? Duration.ofDays(1) : Duration.ZERO;
        together(() -> assertEquals("hello", engine.call(() -> Runs.indexed("k"), context(far))));
        assertEquals(1, indexRequests());
    }

    @Test
    void threads_readAFileOnce() throws Exception {
        together(() -> assertEquals("hello", engine.call(() -> Runs.indexed("k"), context(near))));
        assertEquals(1 + READERS, near.reads.get());
    }

    private void together(Runnable reader) throws Exception {
        CyclicBarrier start = new CyclicBarrier(READERS);
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            readers.add(CompletableFuture.runAsync(
                    () -> {
                        try {
                            start.await();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        reader.run();
                    },
                    threads));
        }
        for (CompletableFuture<Void> r : readers) {
            r.get(110, TimeUnit.SECONDS);
        }
    }

    @Test
    void firstReader_thatIsCancelled_isFollowedByAnother() throws Exception {
        far.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        FarStore.Pending first = far.pending.take();
        readers.get(0).cancel(true);
        assertTrue(first.future().isCancelled());
        assertEquals(2, far.requests());
        readers.get(1).cancel(true);
        readers.get(5).cancel(true);
        FarStore.Pending second = far.pending.take();
        FarStore.Pending last = second.future().isCancelled() ? far.pending.take() : second;
        answerAll(last);
        for (int i : new int[] {2, 3, 4, 6, READERS - 1}) {
            assertEquals("hello", readers.get(i).join());
        }
        assertTrue(indexRequests() <= 4, () -> far.asked().toString());
    }

    @Test
    void waitingReader_thatIsCancelled_endsAtOnce_andHarmsNobody() throws Exception {
        far.asking();
        List<CompletableFuture<String>> readers = start(3);
        readers.get(1).cancel(true);
        assertThrows(java.util.concurrent.CancellationException.class, readers.get(1)::join);
        FarStore.Pending first = far.pending.take();
        assertFalse(first.future().isDone());
        answerAll(first);
        assertEquals("hello", readers.get(0).join());
        assertEquals("hello", readers.get(2).join());
    }

    @Test
    void failureOfTheFirst_isNobodyElses() throws Exception {
        far.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        FarStore.Pending first = far.pending.take();
        far.answersAtOnce = true;
        first.future().completeExceptionally(new StoreException("503"));
        CompletionException e = assertThrows(CompletionException.class, readers.get(0)::join);
        assertInstanceOf(StoreException.class, e.getCause());
        assertAll("hello", readers.subList(1, READERS));
    }

    @Test
    void absentObject_isAskedForByEachReader() throws Exception {
        far.without("k").asking();
        List<CompletableFuture<String>> readers = start(3);
        answerAll(far.pending.take());
        assertAll("absent", readers);
        assertEquals(3, far.requests());
    }

    @Test
    void storeWithoutVersions_isNotWaitedFor_onceThatIsKnown() throws Exception {
        far.withoutVersion("k", Runs.shard("hello")).asking();
        List<CompletableFuture<String>> readers = start(3);
        assertEquals(1, far.requests());
        answerAll(far.pending.take());
        assertAll("hello", readers);
        far.asking();
        List<CompletableFuture<String>> later = start(2);
        assertEquals(6 + 2, far.requests());
        FarStore.Pending one = far.pending.take();
        far.answer(far.pending.take());
        answerAll(one);
        for (FarStore.Pending p = far.pending.poll(); p != null; p = far.pending.poll()) {
            far.answer(p);
        }
        assertAll("hello", later);
    }

    /** The first reader has no thread to decode the answer on: its executor's only one is in another read. */
    @Test
    void reader_onTheOnlyThreadOfTheFirst_isNotStuck() throws Exception {
        far.asking();
        ExecutorService single = Executors.newSingleThreadExecutor();
        Engine one = Runs.engine(single, 1);
        try {
            CountDownLatch reading = new CountDownLatch(1);
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> second = CompletableFuture.supplyAsync(
                    () -> {
                        one.start(() -> Runs.indexed("k"), context(far)).thenAccept(first::complete);
                        reading.countDown();
                        return one.call(() -> Runs.indexed("k"), context(far));
                    },
                    single);
            reading.await();
            answerAll(far.pending.take());
            assertEquals("hello", second.get(100, TimeUnit.SECONDS));
            assertEquals("hello", first.get(100, TimeUnit.SECONDS));
            assertEquals(1, indexRequests());
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void objectThatChangedMeanwhile_isReadAgain() throws Exception {
        far.asking();
        List<CompletableFuture<String>> readers = start(3);
        FarStore.Pending first = far.pending.take();
        far.answer(new FarStore.Pending(first.asked(), new CompletableFuture<>()));
        CompletableFuture<dev.shardkit.store.Fetched> old = new CompletableFuture<>();
        far.answer(new FarStore.Pending(first.asked(), old));
        far.with("k", Runs.shard("other"));
        far.answersAtOnce = true;
        first.future().complete(old.join());
        assertAll("other", readers);
    }

    @Test
    void nearReader_whoseFirstFails_readsByItself() throws Exception {
        CountDownLatch leading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        near.onRead = key -> {
            if (failed.compareAndSet(false, true)) {
                leading.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new IOException("the disk");
            }
        };
        CompletableFuture<String> first =
                CompletableFuture.supplyAsync(() -> engine.call(() -> Runs.indexed("k"), context(near)), threads);
        leading.await();
        List<CompletableFuture<String>> others = Stream.generate(
                        () -> engine.start(() -> Runs.indexed("k"), context(near)))
                .limit(8)
                .toList();
        CompletableFuture<String> cancelled = engine.start(() -> Runs.indexed("k"), context(near));
        cancelled.cancel(true);
        assertThrows(java.util.concurrent.CancellationException.class, cancelled::join);
        goOn.countDown();
        assertInstanceOf(
                StoreException.class,
                assertThrows(CompletionException.class, first::join).getCause());
        assertAll("hello", others);
        assertEquals(Optional.of("hello"), Optional.of(engine.call(() -> Runs.indexed("k"), context(near))));
    }

    /** Ways to read in the middle of another read, each of which waits for the answer. */
    private enum Nested {
        CALL,
        START,
        ON_ANOTHER_THREAD
    }

    private String readNow(Nested way, Reads store) {
        return switch (way) {
            case CALL -> engine.call(() -> Runs.indexed("k"), context(store));
            case START -> engine.start(() -> Runs.indexed("k"), context(store)).join();
            case ON_ANOTHER_THREAD ->
                CompletableFuture.supplyAsync(() -> engine.call(() -> Runs.indexed("k"), context(store)), threads)
                        .join();
        };
    }

    /** A listener that reads the same object once, when it is told of its first event of a kind. */
    private final class Reading implements StoreListener {
        private final AtomicBoolean done = new AtomicBoolean();
        private final String event;
        private final Runnable read;

        Reading(String event, Runnable read) {
            this.event = event;
            this.read = read;
        }

        private void at(String name) {
            if (name.equals(event) && done.compareAndSet(false, true)) {
                read.run();
            }
        }

        @Override
        public void onRequest(String key, ByteRange range) {
            at("request");
        }

        @Override
        public void onResponse(String key, ByteRange range, long bytes) {
            at("response");
        }

        @Override
        public void onRetry(String key, int attempt, String reason) {
            at("retry");
        }
    }

    private void assertListenerCanRead(Reads store, String event, Nested way) throws Exception {
        AtomicReference<String> nested = new AtomicReference<>();
        Reading listener = new Reading(event, () -> nested.set(readNow(way, store)));
        ReadContext outer = Runs.context(store, cache, listener);
        assertEquals("hello", within(() -> engine.call(() -> Runs.indexed("k"), outer)));
        assertEquals("hello", nested.get());
        cache.clear();
        listener.done.set(false);
        nested.set("");
        assertEquals("hello", within(() -> engine.start(() -> Runs.indexed("k"), outer)
                .join()));
        assertEquals("hello", nested.get());
    }

    private <T> T within(Supplier<T> call) throws Exception {
        return CompletableFuture.supplyAsync(call, threads).get(100, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void listenerThatReadsTheSameObject_waitsForNobody(Nested way) throws Exception {
        for (String event : new String[] {"request", "response"}) {
            assertListenerCanRead(near, event, way);
            cache.clear();
            assertListenerCanRead(far, event, way);
            cache.clear();
        }
        assertListenerCanRead(new RetryingStore(far), "retry", way);
    }

    @Test
    void listenersThatReadEachOthersObject_doNotWaitInACircle() throws Exception {
        for (Reads store : List.of(near.with("l", Runs.shard("other")), far.with("l", Runs.shard("other")))) {
            cache.clear();
            CyclicBarrier both = new CyclicBarrier(2);
            Function<String, StoreListener> reading = key -> new Reading("request", () -> {
                try {
                    both.await(100, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                engine.call(() -> Runs.indexed(key), context(store));
            });
            CompletableFuture<String> one = CompletableFuture.supplyAsync(
                    () -> engine.call(() -> Runs.indexed("k"), Runs.context(store, cache, reading.apply("l"))),
                    threads);
            CompletableFuture<String> two = CompletableFuture.supplyAsync(
                    () -> engine.call(() -> Runs.indexed("l"), Runs.context(store, cache, reading.apply("k"))),
                    threads);
            assertEquals("hello", one.get(100, TimeUnit.SECONDS));
            assertEquals("other", two.get(100, TimeUnit.SECONDS));
        }
    }

    /**
     * Code that runs while others wait for it: what it begins, and what that begins on threads of its own, is alone.
     */
    @ParameterizedTest
    @EnumSource(names = {"CALL", "START"})
    void decoderThatReadsTheSameObject_readsByItself(Nested way) throws Exception {
        Engine wide = Runs.engine(4); // each read blocks the worker of the one around it
        for (Reads store : List.of(near, far)) {
            AtomicInteger depth = new AtomicInteger();
            AtomicReference<Supplier<Plan<String>>> plan = new AtomicReference<>();
            Decoder<String> index = Decoder.kept("index", s -> s.length(), (answer, scratch) -> {
                if (depth.incrementAndGet() <= 2) {
                    String nested = way == Nested.CALL
                            ? wide.call(plan.get(), context(store))
                            : wide.start(plan.get(), context(store)).join();
                    assertEquals("27", nested);
                }
                return Runs.text(answer);
            });
            plan.set(() -> Source.stored("k").read(INDEX, index));
            cache.clear();
            assertEquals("27", within(() -> wide.call(plan.get(), context(store))));
        }
    }

    @Test
    void targetThatReadsTheSameObject_afterTheIndexIsKept_waitsForNobody() throws Exception {
        Decoder<String> index = Decoder.kept("index", s -> s.length(), (answer, scratch) -> Runs.text(answer));
        AtomicBoolean done = new AtomicBoolean();
        Supplier<Plan<String>> plan = () -> Source.stored("k")
                .read(INDEX, index)
                .then(i ->
                        Plan.done(done.compareAndSet(false, true) ? i + readNow(Nested.ON_ANOTHER_THREAD, near) : i));
        assertEquals("27hello", within(() -> engine.call(plan, context(near))));
    }
}
