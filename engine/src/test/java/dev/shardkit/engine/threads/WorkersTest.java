package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.ObjectEditsTest;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.engine.run.PlanExecutionTest;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.run.RemoteStore;
import dev.shardkit.engine.run.Runs;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a thread, and who keeps one waiting. */
@Timeout(120)
class WorkersTest {
    @Test
    void dependentsOfReads_thatWaitForOtherReads_end() {
        for (Reads store : List.<Reads>of(
                new LocalStore().with("k", Runs.shard("hello")), new RemoteStore().with("k", Runs.shard("hello")))) {
            Engine engine = Runs.engine(2);
            List<CompletableFuture<String>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(engine.start(() -> Runs.indexed("k"), Runs.context(store))
                        .thenApply(s -> s
                                + engine.start(() -> Runs.indexed("k"), Runs.context(store))
                                        .join()));
            }
            all.forEach(f -> assertEquals("hellohello", f.join()));
        }
    }

    @Test
    void dependentsThatWait_endOnACallersExecutorOfOneThread() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            Workers workers = Workers.of(one, 2);
            Engine engine = new Engine(workers);
            ReadContext context = Runs.context(new RemoteStore().with("k", Runs.shard("hello")));
            CountDownLatch go = new CountDownLatch(1);
            CompletableFuture<String> call = workers.async(() -> {
                        PlanExecutionTest.await(go);
                        return "and ";
                    })
                    .thenApply(and -> and
                            + engine.start(() -> Runs.indexed("k"), context)
                                    .thenApply(s ->
                                            s + workers.async(() -> " again").join())
                                    .join());
            go.countDown();
            assertEquals("and hello again", call.get(60, TimeUnit.SECONDS));
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void dependentsOfCalls_thatWaitForOtherCalls_end() {
        Workers workers = Workers.of(null, 2);
        CountDownLatch go = new CountDownLatch(1);
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(workers.async(() -> {
                        PlanExecutionTest.await(go);
                        return 1;
                    })
                    .thenApply(one -> one + workers.async(() -> 1).join()));
        }
        go.countDown();
        all.forEach(f -> assertEquals(2, f.join()));
    }

    @Test
    void listenersOfReads_thatWaitForOtherReads_end() throws Exception {
        for (Reads store : List.<Reads>of(
                new LocalStore().with("k", Runs.shard("hello")), new RemoteStore().with("k", Runs.shard("hello")))) {
            Engine engine = Runs.engine(2);
            AtomicInteger heard = new AtomicInteger();
            StoreListener waits = listener(() -> {
                assertEquals(
                        "hello",
                        engine.start(() -> Runs.indexed("k"), Runs.context(store))
                                .join());
                heard.incrementAndGet();
            });
            List<CompletableFuture<String>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(engine.start(() -> Runs.indexed("k"), Runs.context(store, new ValueCache(1 << 20), waits)));
            }
            for (CompletableFuture<String> f : all) {
                assertEquals("hello", f.get(60, TimeUnit.SECONDS));
            }
            assertTrue(heard.get() >= 100, "heard: " + heard);
        }
    }

    @Test
    void listenersOfCalls_thatWaitForOtherCalls_end() throws Exception {
        Workers workers = Workers.of(null, 2);
        CountDownLatch all = new CountDownLatch(64); // as many as the pool has threads
        StoreListener waits = QuietListener.of(listener(() -> {
            all.countDown();
            PlanExecutionTest.await(all);
            assertEquals(1, workers.async(() -> 1).join());
        }));
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(workers.async(() -> {
                waits.onDelete("k");
                return 1;
            }));
        }
        for (CompletableFuture<Integer> f : calls) {
            assertEquals(1, f.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void targetsOfReads_thatWaitForOtherReads_end() throws Exception {
        Engine engine = Runs.engine(1);
        CompletableFuture<String> other = new CompletableFuture<>();
        ReadContext context = Runs.context(new LocalStore().with("k", Runs.shard("hello")));
        Target waits = CallerExceptionGuards.target(new Target() {
            @Override
            public void put(Elements from, long offset, long[] strides, Box at) {}

            @Override
            public void fill(FillValue value, Box at) {
                other.complete(engine.start(() -> Runs.indexed("k"), context)
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join());
            }

            @Override
            public Target window(Box at) {
                return this;
            }

            @Override
            public Target permute(int[] order) {
                return this;
            }
        });
        Plan<NoResult> fills = Plan.defer(DataLocation.nowhere(), scratch -> {
            waits.fill(FillValue.of(new byte[1]), Box.of(new long[] {1}));
            return Plan.done();
        });
        engine.start(() -> fills, context).get(60, TimeUnit.SECONDS);
        assertEquals("hello", other.join());
    }

    @Test
    void callersCodeOnAThreadOfAPool_isReplacedWhileItRuns_andNoLonger() throws Exception {
        WorkerPool pool = new WorkerPool(1, CallThreads.platform("test-"));
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2);
        AtomicInteger running = new AtomicInteger();
        pool.execute(() -> {
            WorkerPool.callersCode(() -> WorkerPool.callersCode(() -> PlanExecutionTest.await(other)));
            done.countDown();
        });
        pool.execute(() -> {
            other.countDown();
            PlanExecutionTest.await(go);
            done.countDown();
        });
        assertTrue(other.await(60, TimeUnit.SECONDS), "the pool gave no other thread");
        go.countDown();
        assertTrue(done.await(60, TimeUnit.SECONDS), "tasks left: " + done.getCount());
        AtomicInteger later = new AtomicInteger();
        CountDownLatch rest = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            pool.execute(() -> {
                later.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
                rest.countDown();
            });
        }
        assertTrue(rest.await(60, TimeUnit.SECONDS), "tasks left: " + rest.getCount());
        assertEquals(1, later.get());
    }

    private static StoreListener listener(Runnable onDeleteOrRequest) {
        return new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                onDeleteOrRequest.run();
            }

            @Override
            public void onDelete(String key) {
                onDeleteOrRequest.run();
            }
        };
    }

    @Test
    @SuppressWarnings("try")
    void callsThatWaitForOneLock_holdFewPlatformThreads() throws Exception {
        LocalStore store = new LocalStore();
        Engine engine = Runs.engine(2);
        ObjectEdits edits = new ObjectEdits(engine);
        AtomicInteger done = new AtomicInteger();
        List<CompletableFuture<NoResult>> all = new ArrayList<>();
        try (LocalStore.Lock held = store.lock("", "k", java.time.Duration.ZERO)) {
            for (int i = 0; i < 1000; i++) {
                all.add(engine.workers().async(() -> {
                    edits.change("k", policy -> ObjectEditsTest.put("x"), ObjectEditsTest.context(store));
                    done.incrementAndGet();
                    return NoResult.INSTANCE;
                }));
            }
            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().startsWith("shardkit-call-"))
                    .count();
            assertTrue(threads <= 200, "platform threads: " + threads);
            assertEquals(0, done.get());
        }
        all.forEach(CompletableFuture::join);
        assertEquals(1000, done.get());
    }

    @Test
    void smallRun_behindBigOnes_isServedInBetween() {
        Engine engine = Runs.engine(1);
        AtomicBoolean over = new AtomicBoolean();
        Plan<NoResult> big = Plan.each(
                100_000,
                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                    long begun = System.nanoTime();
                    while (!over.get() && System.nanoTime() - begun < 2_000_000) {
                        Thread.onSpinWait();
                    }
                    return Plan.done();
                }));
        ReadContext context = Runs.context(new LocalStore().with("k", Runs.shard("hello")));
        List<CompletableFuture<NoResult>> bigs =
                List.of(engine.start(() -> big, context), engine.start(() -> big, context));
        assertEquals("hello", engine.start(() -> Runs.indexed("k"), context).join());
        for (CompletableFuture<NoResult> b : bigs) {
            assertFalse(b.isDone());
        }
        over.set(true);
        bigs.forEach(CompletableFuture::join);
    }

    @Test
    void runsThatAreNew_goFirst_butEverySecondTurnIsOneOfTheOthers() throws Exception {
        WorkerPool pool = new WorkerPool(1, CallThreads.platform("test-"));
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        pool.execute(() -> {
            busy.countDown();
            PlanExecutionTest.await(go);
        });
        busy.await();
        StringBuffer order = new StringBuffer();
        CountDownLatch all = new CountDownLatch(6);
        for (String name : List.of("a", "b")) {
            pool.continueLater(() -> {
                order.append(name);
                all.countDown();
            });
        }
        for (int i = 1; i <= 4; i++) {
            int number = i;
            pool.execute(() -> {
                order.append(number);
                all.countDown();
            });
        }
        go.countDown();
        all.await();
        assertEquals("1a2b34", order.toString());
    }
}
