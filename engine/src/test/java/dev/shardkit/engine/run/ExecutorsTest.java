package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.edit.ObjectEdits;
import dev.shardkit.engine.edit.ObjectEditsTest;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ExecutorsTest {
    private static final Executor REJECTS = task -> {
        throw new RejectedExecutionException("full");
    };
    private final AtomicInteger done = new AtomicInteger();
    private final ReadContext context = Runs.context(new LocalStore());
    private final Plan<NoResult> plan = Plan.each(
            10_000,
            i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                done.incrementAndGet();
                return Plan.done();
            }));

    @Test
    void directExecutor_doesAllOnTheThreadThatAsks() {
        Engine engine = Runs.engine(Runnable::run, 4);
        engine.call(() -> plan, context);
        assertTrue(engine.start(() -> plan, context).isDone());
        assertEquals(20_000, done.get());
    }

    @Test
    void executorThatRejects_leavesABlockingCallAlone_andFailsAFuture() {
        Engine engine = Runs.engine(REJECTS, 4);
        engine.call(() -> plan, context);
        assertEquals(10_000, done.get());
        CompletableFuture<NoResult> future = engine.start(() -> plan, context);
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void executorThatRejects_afterAnAnswer_failsTheFuture() throws Exception {
        RemoteStore remote = new RemoteStore().with("k", Runs.shard("hello")).asking();
        CompletableFuture<String> future = Runs.engine(REJECTS, 4).start(() -> Runs.indexed("k"), Runs.context(remote));
        remote.answer(remote.pending.take());
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void executorThatNeverStartsATask_doesNotStopABlockingCall() {
        Runs.Stepping executor = new Runs.Stepping();
        Runs.engine(executor, 4).call(() -> plan, context);
        assertEquals(10_000, done.get());
        executor.runAll();
        assertEquals(10_000, done.get());
    }

    @Test
    void singleThread_ofWhichTheCallerIsOne_isEnough() throws Exception {
        ExecutorService single = Executors.newSingleThreadExecutor();
        try {
            Engine engine = Runs.engine(single, 4);
            LocalStore store = new LocalStore();
            single.submit(() -> engine.call(() -> plan, context)).get();
            single.submit(() -> new ObjectEdits(engine)
                            .changeAll(
                                    20,
                                    i -> "k" + i,
                                    i -> policy -> ObjectEditsTest.put("x"),
                                    ObjectEditsTest.context(store)))
                    .get();
            assertEquals(10_000, done.get());
            assertEquals("x", new String(store.get("k19").orElseThrow()));
            engine.start(() -> plan, context).get();
            engine.workers().async(() -> engine.call(() -> plan, context)).get();
            assertEquals(30_000, done.get());
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void oneUnitOfWork_wakesNobody() {
        AtomicInteger asked = new AtomicInteger();
        LocalStore store = new LocalStore().with("k", Runs.shard("hello"));
        Runs.engine(task -> asked.incrementAndGet(), 4).call(() -> Runs.indexed("k"), Runs.context(store));
        assertEquals(0, asked.get());
    }

    @Test
    void asyncCall_thatTheExecutorRejects_isAFailedFuture() {
        CompletableFuture<NoResult> future = Workers.of(REJECTS, 1).async(() -> NoResult.INSTANCE);
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }
}
