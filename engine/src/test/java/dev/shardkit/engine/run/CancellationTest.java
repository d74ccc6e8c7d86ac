package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.threads.Workers;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class CancellationTest {
    private final RemoteStore remote =
            new RemoteStore().with("k", Runs.shard("hello")).asking();
    private final Engine engine = Runs.engine(2);

    /** What a call ended with, on a thread of its own. */
    private static final class Caller extends Thread {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final AtomicBoolean interrupted = new AtomicBoolean();
        private final Runnable call;

        Caller(Runnable call) {
            this.call = call;
            start();
        }

        @Override
        public void run() {
            try {
                call.run();
            } catch (Throwable e) {
                thrown.set(e);
            }
            interrupted.set(isInterrupted());
        }
    }

    @Test
    void cancelledFuture_reachesTheStoresFuture() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(remote));
        RemoteStore.Pending index = remote.pending.take();
        assertTrue(future.cancel(false));
        assertTrue(index.future().isCancelled());
    }

    @Test
    void cancelledFuture_inALaterAttempt_reachesThatOne() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(remote));
        remote.refuse(remote.pending.take());
        RemoteStore.Pending again = remote.pending.take();
        future.cancel(true);
        assertTrue(again.future().isCancelled());
        assertEquals(2, remote.requests());
    }

    /** A thread is inside the store's method: there is no future of the store to cancel yet. */
    @Test
    void cancelledFuture_whileTheRequestIsSent_cancelsItAfterwards() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(remote));
        RemoteStore.Pending index = remote.pending.take();
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        remote.onFetch = () -> {
            sending.countDown();
            PlanExecutionTest.await(go);
        };
        Thread answering = new Thread(() -> remote.answer(index)); // it may send the next request itself
        answering.start();
        sending.await();
        future.cancel(false);
        go.countDown();
        answering.join();
        assertThrows(CancellationException.class, remote.pending.take().future()::get);
        assertThrows(CancellationException.class, future::get);
    }

    @Test
    void timeoutOfTheFuture_reachesTheStoresFuture() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(remote));
        RemoteStore.Pending index = remote.pending.take();
        future.orTimeout(1, TimeUnit.MILLISECONDS);
        assertInstanceOf(
                TimeoutException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
        assertThrows(CancellationException.class, index.future()::get);
    }

    @Test
    void cancelledRun_closesWhatItOpened() throws Exception {
        LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        local.onRead = key -> {
            reading.countDown();
            PlanExecutionTest.await(go);
        };
        PlanExecution<String> run = new PlanExecution<>(
                Runs.indexed("k"),
                Runs.context(local),
                Workers.of(
                        task -> new Thread(() -> {
                                    task.run();
                                    over.countDown();
                                })
                                .start(),
                        1),
                null);
        CompletableFuture<String> future = run.start();
        reading.await();
        Caller canceller = new Caller(() -> future.cancel(true)); // it waits for the read
        PlanExecutionTest.awaitState(canceller, Thread.State.TIMED_WAITING);
        assertEquals(0, local.closed.get(), "somebody still reads");
        go.countDown();
        over.await();
        canceller.join();
        assertEquals(1, local.reads.get());
        assertEquals(1, local.closed.get());
    }

    /** A worker makes the parts of a join outside the run's monitor. */
    @Test
    void cancelledRun_whosePartsAreBeingMade_performsNone() throws Exception {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger performed = new AtomicInteger();
        Plan<NoResult> join = Plan.each(100, i -> {
            if (i == 50) {
                making.countDown();
                PlanExecutionTest.await(go);
            }
            return Plan.defer(DataLocation.nowhere(), scratch -> {
                performed.incrementAndGet();
                return Plan.done();
            });
        });
        AtomicInteger tasks = new AtomicInteger(); // a thread may leave the rest of its work to another one
        Engine one = Runs.engine(
                task -> {
                    tasks.incrementAndGet();
                    new Thread(() -> {
                                task.run();
                                if (tasks.decrementAndGet() == 0) {
                                    over.countDown();
                                }
                            })
                            .start();
                },
                1);
        CompletableFuture<NoResult> future =
                one.start(() -> Plan.defer(DataLocation.nowhere(), scratch -> join), Runs.context(new LocalStore()));
        making.await();
        Caller canceller = new Caller(() -> future.cancel(true)); // it waits for the parts
        PlanExecutionTest.awaitState(canceller, Thread.State.TIMED_WAITING);
        go.countDown();
        over.await();
        canceller.join();
        assertEquals(0, performed.get());
    }

    @Test
    void interrupt_whileACallWaitsForTheStore_endsItAndTheRequest() throws Exception {
        Caller caller = new Caller(() -> engine.call(() -> Runs.indexed("k"), Runs.context(remote)));
        RemoteStore.Pending index = remote.pending.take();
        caller.interrupt();
        caller.join();
        assertInstanceOf(CancellationException.class, caller.thrown.get());
        assertTrue(caller.interrupted.get());
        assertTrue(index.future().isCancelled());
    }

    @Test
    void interrupt_withTheCallersOnlyThread_needsNoOther() throws Exception {
        Runs.Stepping executor = new Runs.Stepping();
        Caller caller = new Caller(() -> Runs.engine(executor, 2).call(() -> Runs.indexed("k"), Runs.context(remote)));
        RemoteStore.Pending index = remote.pending.take();
        caller.interrupt();
        caller.join();
        assertInstanceOf(CancellationException.class, caller.thrown.get());
        assertTrue(index.future().isCancelled());
    }

    @Test
    void interrupt_whileAWorkerReads_waitsForThatReadAndNoMore() throws Exception {
        AtomicInteger done = new AtomicInteger();
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Plan<NoResult> plan = Plan.each(
                10_000,
                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                    if (Thread.currentThread().getName().startsWith("shardkit-worker")) {
                        working.countDown();
                        PlanExecutionTest.await(go);
                        done.incrementAndGet();
                    } else {
                        PlanExecutionTest.await(working);
                        Thread.currentThread().interrupt();
                        interrupted.countDown();
                    }
                    return Plan.done();
                }));
        Caller caller = new Caller(() -> engine.call(() -> plan, Runs.context(new LocalStore())));
        interrupted.await();
        PlanExecutionTest.awaitState(caller, Thread.State.WAITING);
        go.countDown();
        caller.join();
        assertInstanceOf(CancellationException.class, caller.thrown.get());
        assertTrue(caller.interrupted.get());
        assertEquals(1, done.get());
    }

    @Test
    void interruptedThread_getsNoFurtherThanTheFirstUnit() {
        LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
        Thread.currentThread().interrupt();
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(local)));
        assertTrue(Thread.interrupted());
        assertEquals(0, local.reads.get());
        assertEquals(local.opened.get(), local.closed.get());
    }

    @Test
    void storeThatFailsBecauseOfTheInterrupt_isACancellation() {
        LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
        local.onRead = key -> {
            Thread.currentThread().interrupt();
            throw new java.nio.channels.ClosedByInterruptException();
        };
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(local)));
        assertTrue(Thread.interrupted());
        local.onRead = key -> {
            Thread.currentThread().interrupt();
            throw new dev.shardkit.spi.error.StoreException("interrupted while reading");
        };
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(local)));
        assertTrue(Thread.interrupted());
    }

    /** What looks corrupt is of two versions, and an interrupted thread cannot confirm that. */
    @Test
    void interruptedRead_ofAnObjectThatIsChangedInPlace_isACancellation() {
        LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
        Plan<String> plan = Source.stored("k").read(ByteRange.whole(), (answer, scratch) -> {
            local.changeInPlace("k");
            Thread.currentThread().interrupt();
            throw new CorruptDataException("expected a frame");
        });
        Throwable thrown =
                assertThrows(CancellationException.class, () -> engine.call(() -> plan, Runs.context(local)));
        assertTrue(Thread.interrupted());
        assertInstanceOf(CorruptDataException.class, thrown.getSuppressed()[0]);
    }

    @Test
    void cancelledCallOnAThreadOfItsOwn_isInterrupted_andTheThreadIsCleanAfterwards() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        java.util.concurrent.ExecutorService single = java.util.concurrent.Executors.newSingleThreadExecutor();
        try {
            Workers workers = Workers.of(single, 1);
            CompletableFuture<NoResult> future = workers.async(() -> {
                inside.countDown();
                PlanExecutionTest.await(never);
                return NoResult.INSTANCE;
            });
            inside.await();
            future.cancel(false);
            assertFalse(
                    single.submit(() -> Thread.currentThread().isInterrupted()).get());
        } finally {
            single.shutdownNow();
        }
    }
}
