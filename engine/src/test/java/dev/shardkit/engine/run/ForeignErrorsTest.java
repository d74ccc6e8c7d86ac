package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.ObjectEditsTest;
import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.threads.BlockingJobs;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors thrown by code that is not the engine's: each ends the run, blocking or not, and every run ends. */
@Timeout(120)
class ForeignErrorsTest {
    private static final AssertionError ERROR = new AssertionError("made up");
    private static final int OBJECTS = 20;

    /** A listener that throws at one kind of event. */
    private record Throwing(String event) implements StoreListener {
        private void at(String name) {
            if (name.equals(event)) {
                throw ERROR;
            }
        }

        @Override
        public void onRequest(String key, ByteRange range) {
            at("request");
        }

        @Override
        public void onResponse(String key, ByteRange range, long bytes, Duration took) {
            at("response");
        }

        @Override
        public void onRetry(String key, int attempt, String reason) {
            at("retry");
        }

        @Override
        public void onCacheHit(String key) {
            at("hit");
        }

        @Override
        public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
            at("write");
        }
    }

    private static Plan<NoResult> plan() {
        return Plan.each(OBJECTS, i -> Runs.indexed("k" + i).map(text -> NoResult.INSTANCE));
    }

    private static RemoteStore remote() {
        RemoteStore store = new RemoteStore();
        for (int i = 0; i < OBJECTS; i++) {
            store.with("k" + i, Runs.shard("hello"));
        }
        return store;
    }

    private static LocalStore local() {
        LocalStore store = new LocalStore();
        for (int i = 0; i < OBJECTS; i++) {
            store.with("k" + i, Runs.shard("hello"));
        }
        return store;
    }

    private static void assertEndsWithTheError(Supplier<ReadContext> contexts) {
        for (int parallelism : new int[] {1, 4}) {
            Engine engine = Runs.engine(parallelism);
            assertSame(
                    ERROR,
                    assertThrows(AssertionError.class, () -> engine.call(ForeignErrorsTest::plan, contexts.get())));
            CompletableFuture<NoResult> future = engine.start(ForeignErrorsTest::plan, contexts.get());
            assertSame(
                    ERROR, assertThrows(ExecutionException.class, future::get).getCause());
        }
    }

    private static ReadContext context(Reads store, StoreListener listener) {
        return Runs.context(store, new ValueCache(1 << 20), listener);
    }

    @Test
    void errorOfAListener_endsTheRun_onEveryKindOfStore() {
        for (String event : new String[] {"request", "response"}) {
            assertEndsWithTheError(() -> context(remote(), new Throwing(event)));
            assertEndsWithTheError(() -> context(new RetryingStore(remote()), new Throwing(event)));
            assertEndsWithTheError(() -> context(local(), new Throwing(event)));
        }
        assertEndsWithTheError(() -> context(new RetryingStore(remote()), new Throwing("retry")));
    }

    @Test
    void errorOfAListener_atAKeptValue_endsTheRun() {
        for (Supplier<Reads> stores : java.util.List.<Supplier<Reads>>of(() -> remote(), () -> local())) {
            assertEndsWithTheError(() -> {
                Reads store = stores.get();
                ReadContext first = context(store, new Throwing("hit"));
                Runs.engine(1).call(() -> Runs.indexed("k3"), first);
                return first;
            });
        }
    }

    @Test
    void errorOfAListener_atAWrite_endsTheCall() {
        LocalStore store = local();
        WriteContext plain = ObjectEditsTest.context(store);
        WriteContext context = new WriteContext(
                store,
                plain.array(),
                context(store, new Throwing("write")),
                plain.policy(),
                plain.durability(),
                plain.locking(),
                plain.patience());
        assertSame(ERROR, assertThrows(AssertionError.class, () -> new ObjectEdits(Runs.engine(4))
                .changeAll(OBJECTS, i -> "k" + i, i -> policy -> ObjectEditsTest.put("x"), context)));
        assertEquals(store.locked.get(), store.unlocked.get());
    }

    @Test
    void errorOfAMergePolicy_whenItIsAskedLater_endsTheRun() {
        for (int at = 1; at < 12; at++) {
            int last = at;
            assertEndsWithTheError(() -> {
                AtomicInteger asked = new AtomicInteger();
                return new ReadContext(
                        new RetryingStore(remote()).reads(),
                        Runs.ARRAY,
                        () -> {
                            if (asked.incrementAndGet() > last) {
                                throw ERROR;
                            }
                            return new MergePolicy(0, 1, 1);
                        },
                        new ValueCache(1 << 20),
                        ReadContext.Freshness.REVALIDATE,
                        StoreListener.NONE);
            });
        }
    }

    /** A future of a store's own kind, which cannot be cancelled without an error. */
    private static final class Uncancellable extends CompletableFuture<FetchResult> {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            completeExceptionally(new IOException("ended"));
            throw new IllegalStateException("a store's own mistake");
        }
    }

    @Test
    void errorOfAFetch_besideRequestsThatCannotBeCancelled_endsTheRun() {
        assertEndsWithTheError(() -> {
            AtomicInteger asked = new AtomicInteger();
            return Runs.context(new RemoteReads() {
                @Override
                public CompletableFuture<FetchResult> fetch(FetchRequest request) {
                    if (asked.incrementAndGet() == 5) {
                        throw ERROR;
                    }
                    return new Uncancellable();
                }
            });
        });
    }

    /** A local store whose snapshots throw when they are confirmed or closed. */
    private record Breaking(LocalStore store, boolean confirming) implements Store, LocalReads {
        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            return store.open(key).map(own -> new ObjectSnapshot() {
                @Override
                public String version() {
                    return own.version();
                }

                @Override
                public long size() {
                    return own.size();
                }

                @Override
                public void read(long offset, ByteBuffer into) throws IOException {
                    own.read(offset, into);
                }

                @Override
                public void confirm() {
                    if (confirming) {
                        throw ERROR;
                    }
                }

                @Override
                public void close() throws IOException {
                    own.close();
                    if (!confirming) {
                        throw ERROR;
                    }
                }
            });
        }

        @Override
        public String describe() {
            return "breaking:";
        }
    }

    @Test
    void errorOfASnapshot_atTheEnd_endsTheRun_andAllAreClosed() {
        for (boolean confirming : new boolean[] {true, false}) {
            LocalStore store = local();
            assertEndsWithTheError(() -> Runs.context(new Breaking(store, confirming)));
            assertEquals(store.opened.get(), store.closed.get());
        }
    }

    @Test
    void errorOfAnExecutor_endsTheCall_whenNoJobIsUnderWay() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Executor executor = task -> {
            if (asked.incrementAndGet() == 2) {
                PlanExecutionTest.await(working);
                go.countDown();
                throw ERROR;
            }
            new Thread(task).start();
        };
        assertSame(
                ERROR,
                assertThrows(
                        AssertionError.class,
                        () -> BlockingJobs.run(
                                10,
                                i -> {
                                    begun.incrementAndGet();
                                    working.countDown();
                                    PlanExecutionTest.await(go);
                                    done.incrementAndGet();
                                },
                                3,
                                executor)));
        assertEquals(begun.get(), done.get(), "jobs that had begun were awaited");
        Executor refusing = task -> {
            throw ERROR;
        };
        CompletableFuture<NoResult> future = Workers.of(refusing, 1).async(() -> NoResult.INSTANCE);
        assertSame(ERROR, assertThrows(ExecutionException.class, future::get).getCause());
    }
}
