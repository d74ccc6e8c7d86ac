package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.threads.CallThreads;
import dev.shardkit.engine.threads.WorkerPool;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error, as if memory ran out, at the first, second, third... of all steps at which a run calls other code: keys,
 * decoders, listeners, policies, stores, futures, executors, and exceptions that are asked for their cause. The run
 * ends, whether it is blocking or not, and a healthy run that shares its cache and its requests ends well.
 */
@Timeout(600)
class ErrorsAtEachStepTest {
    private static final OutOfMemoryError ERROR = new OutOfMemoryError("made up");
    private static final int OBJECTS = 6;
    private static final String RIGHT = "hello".repeat(OBJECTS);

    /** Throws at some of the steps that pass it. */
    private static final class Bomb {
        private final AtomicInteger steps = new AtomicInteger();
        private final int from;
        private final int to;

        Bomb(int from, int count) {
            this.from = from;
            this.to = from + count;
        }

        void step() {
            int now = steps.getAndIncrement();
            if (now >= from && now < to) {
                throw ERROR;
            }
        }

        boolean wentOff() {
            return steps.get() > from;
        }
    }

    /** The identity of a cached value, which every look-up asks for its hash code. */
    private record Id(String name, Bomb bomb) {
        @Override
        public int hashCode() {
            bomb.step();
            return name.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Id id && id.name.equals(name);
        }
    }

    private record Index(Bomb bomb) implements Decoder<String> {
        @Override
        public String decode(ReadResult answer, Scratch scratch) {
            bomb.step();
            return Runs.text(answer);
        }

        @Override
        public Optional<Object> identity() {
            bomb.step();
            return Optional.of(new Id("index", bomb));
        }

        @Override
        public long weight(String value) {
            bomb.step();
            return value.length();
        }
    }

    private static Plan<String> plan(Bomb bomb) {
        String[] values = new String[OBJECTS];
        return Plan.each(OBJECTS, i -> {
                    bomb.step();
                    Source shard = Source.stored("k" + i);
                    return shard.read(new ByteRange.Slice(0, 2), new Index(bomb))
                            .then(index -> Runs.text(shard, new ByteRange.Slice(2, index.charAt(1) - '2')))
                            .map(text -> {
                                bomb.step();
                                values[(int) i] = text;
                                return NoResult.INSTANCE;
                            });
                })
                .map(u -> String.join("", values));
    }

    private record Listening(Bomb bomb) implements StoreListener {
        @Override
        public void onRequest(String key, ByteRange range) {
            bomb.step();
        }

        @Override
        public void onResponse(String key, ByteRange range, long bytes, Duration took) {
            bomb.step();
        }

        @Override
        public void onCacheHit(String key) {
            bomb.step();
        }
    }

    /** An exception whose cause cannot be told: telling a failure fails too. */
    private static final class Untellable extends CompletionException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw ERROR;
        }
    }

    /** A store's own future. */
    private static final class Foreign extends CompletableFuture<FetchResult> {
        private final Bomb bomb;

        Foreign(Bomb bomb) {
            this.bomb = bomb;
        }

        @Override
        public CompletableFuture<FetchResult> whenComplete(BiConsumer<? super FetchResult, ? super Throwable> action) {
            bomb.step();
            return super.whenComplete(action);
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            bomb.step();
            return cancelled;
        }
    }

    /** A remote store that answers on the calling thread, or on another one. */
    private record Remote(RemoteStore store, Bomb bomb, boolean later) implements RemoteReads {
        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            bomb.step();
            CompletableFuture<FetchResult> own = store.fetch(request);
            Foreign foreign = new Foreign(bomb);
            Runnable answer = () -> {
                try {
                    bomb.step();
                    foreign.complete(own.join());
                } catch (OutOfMemoryError e) {
                    foreign.completeExceptionally(new Untellable());
                }
            };
            if (later) {
                ForkJoinPool.commonPool().execute(answer);
            } else {
                answer.run();
            }
            return foreign;
        }

        @Override
        public Duration freshFor() {
            bomb.step();
            return Duration.ZERO;
        }
    }

    private static RemoteStore remote(boolean sendsAll) {
        RemoteStore store = new RemoteStore();
        store.sendsAll = sendsAll;
        for (int i = 0; i < OBJECTS; i++) {
            store.with("k" + i, Runs.shard("hello"));
        }
        return store;
    }

    private static LocalStore local(Bomb bomb) {
        LocalStore store = new LocalStore();
        for (int i = 0; i < OBJECTS; i++) {
            store.with("k" + i, Runs.shard("hello"));
        }
        store.onOpen = key -> stepped(bomb);
        store.onRead = key -> stepped(bomb);
        return store;
    }

    private static void stepped(Bomb bomb) throws IOException {
        try {
            bomb.step();
        } catch (OutOfMemoryError e) {
            throw new IOException(new Untellable()) {
                private static final long serialVersionUID = 1L;

                @Override
                public String toString() {
                    throw ERROR;
                }
            };
        }
    }

    private static ReadContext context(Reads store, ValueCache cache, Bomb bomb) {
        return new ReadContext(
                store,
                Runs.ARRAY,
                () -> {
                    bomb.step();
                    return new MergePolicy(0, 1, 2);
                },
                cache,
                ReadContext.Freshness.REVALIDATE,
                new Listening(bomb));
    }

    private static Engine engine(Bomb bomb) {
        Executor executor = task -> {
            bomb.step();
            ForkJoinPool.commonPool().execute(task);
        };
        return Runs.engine(executor, 2);
    }

    /** Returns the value of a run, or the error that ended it. */
    private static Object outcome(CompletableFuture<String> run, String where) throws Exception {
        try {
            return run.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("a run hangs after an error at " + where);
        }
    }

    private static CompletableFuture<String> called(Engine engine, Bomb bomb, ReadContext context) {
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                end.complete(engine.call(() -> plan(bomb), context));
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    private static void assertEndsAtEachStep(String name, Function<Bomb, Reads> stores) throws Exception {
        for (int count : List.of(1, 2, 5)) {
            for (boolean blocking : List.of(true, false)) {
                boolean wentOff = true;
                for (int step = 0; wentOff; step++) {
                    String where =
                            "step " + step + ", " + count + " times, " + name + (blocking ? ", blocking" : ", future");
                    Bomb bomb = new Bomb(step, count);
                    wentOff = endsAt(bomb, stores, blocking, where);
                    assertTrue(step < 10_000, "the run has an end");
                }
            }
        }
    }

    private static boolean endsAt(Bomb bomb, Function<Bomb, Reads> stores, boolean blocking, String where)
            throws Exception {
        Reads store = stores.apply(bomb);
        ValueCache cache = new ValueCache(1 << 20);
        Bomb dud = new Bomb(Integer.MAX_VALUE, 0);
        Optional<ReadContext> context = made(() -> context(store, cache, bomb));
        if (context.isPresent()) {
            Engine engine = engine(bomb);
            CompletableFuture<String> run =
                    blocking ? called(engine, bomb, context.get()) : engine.start(() -> plan(bomb), context.get());
            Object ended = outcome(run, where);
            if (!ended.equals(RIGHT)) {
                assertTrue(bomb.wentOff(), where + ": " + ended);
            }
        }
        boolean wentOff = bomb.wentOff();
        bomb.steps.set(Integer.MIN_VALUE / 2); // enough memory from here on
        assertEquals(RIGHT, outcome(called(engine(dud), dud, context(store, cache, dud)), "the next run: " + where));
        assertEquals(0, cache.inFlight().size(), where);
        return wentOff;
    }

    private interface Making<V> {
        V make();
    }

    private static <V> Optional<V> made(Making<V> making) {
        try {
            return Optional.of(making.make());
        } catch (OutOfMemoryError e) {
            assertSame(ERROR, e);
            return Optional.empty();
        }
    }

    @Test
    void remoteRuns_end() throws Exception {
        for (boolean sendsAll : List.of(false, true)) {
            assertEndsAtEachStep("remote, sends all: " + sendsAll, bomb -> new Remote(remote(sendsAll), bomb, false));
        }
    }

    @Test
    void remoteRuns_whoseAnswersComeLater_end() throws Exception {
        for (boolean sendsAll : List.of(false, true)) {
            assertEndsAtEachStep(
                    "remote, later, sends all: " + sendsAll, bomb -> new Remote(remote(sendsAll), bomb, true));
        }
    }

    @Test
    void localRuns_end() throws Exception {
        assertEndsAtEachStep("local", ErrorsAtEachStepTest::local);
    }

    @Test
    void threadOfAPool_whoseTaskFailsUntellably_runsTheWaitingTask() throws Exception {
        WorkerPool pool = new WorkerPool(1, CallThreads.platform("test-worker-"));
        CountDownLatch waiting = new CountDownLatch(1);
        pool.execute(() -> {
            PlanExecutionTest.await(waiting);
            throw new Untellable();
        });
        CompletableFuture<String> next = new CompletableFuture<>();
        pool.execute(() -> next.complete("ran"));
        waiting.countDown();
        assertEquals("ran", outcome(next, "the task before"));
    }
}
