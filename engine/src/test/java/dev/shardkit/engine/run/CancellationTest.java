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
    private final FarStore far = new FarStore().with("k", Runs.shard("hello")).asking();
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
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(far));
        FarStore.Pending index = far.pending.take();
        assertTrue(future.cancel(false));
        assertTrue(index.future().isCancelled());
    }

    @Test
    void cancelledFuture_inALaterAttempt_reachesThatOne() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(far));
        far.refuse(far.pending.take());
        FarStore.Pending again = far.pending.take();
        future.cancel(true);
        assertTrue(again.future().isCancelled());
        assertEquals(2, far.requests());
    }

    /** A thread is inside the store's method: there is no future of the store to cancel yet. */
    @Test
    void cancelledFuture_whileTheRequestIsSent_cancelsItAfterwards() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(far));
        FarStore.Pending index = far.pending.take();
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        far.onFetch = () -> {
            sending.countDown();
            ExecutionTest.await(go);
        };
        Thread answering = new Thread(() -> far.answer(index)); // it may send the next request itself
        answering.start();
        sending.await();
        future.cancel(false);
        go.countDown();
        answering.join();
        assertThrows(CancellationException.class, far.pending.take().future()::get);
        assertThrows(CancellationException.class, future::get);
    }

    @Test
    void timeoutOfTheFuture_reachesTheStoresFuture() throws Exception {
        CompletableFuture<String> future = engine.start(() -> Runs.indexed("k"), Runs.context(far));
        FarStore.Pending index = far.pending.take();
        future.orTimeout(1, TimeUnit.MILLISECONDS);
        assertInstanceOf(
                TimeoutException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
        assertThrows(CancellationException.class, index.future()::get);
    }

    @Test
    void cancelledRun_closesWhatItOpened() throws Exception {
        NearStore near = new NearStore().with("k", Runs.shard("hello"));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        near.onRead = key -> {
            reading.countDown();
            ExecutionTest.await(go);
        };
        Execution<String> run = new Execution<>(
                Runs.indexed("k"),
                Runs.context(near),
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
        ExecutionTest.awaitState(canceller, Thread.State.TIMED_WAITING);
        assertEquals(0, near.closed.get(), "somebody still reads");
        go.countDown();
        over.await();
        canceller.join();
        assertEquals(1, near.reads.get());
        assertEquals(1, near.closed.get());
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
                ExecutionTest.await(go);
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
                one.start(() -> Plan.defer(DataLocation.nowhere(), scratch -> join), Runs.context(new NearStore()));
        making.await();
        Caller canceller = new Caller(() -> future.cancel(true)); // it waits for the parts
        ExecutionTest.awaitState(canceller, Thread.State.TIMED_WAITING);
        go.countDown();
        over.await();
        canceller.join();
        assertEquals(0, performed.get());
    }

    @Test
    void interrupt_whileACallWaitsForTheStore_endsItAndTheRequest() throws Exception {
        Caller caller = new Caller(() -> engine.call(() -> Runs.indexed("k"), Runs.context(far)));
        FarStore.Pending index = far.pending.take();
        caller.interrupt();
        caller.join();
        assertInstanceOf(CancellationException.class, caller.thrown.get());
        assertTrue(caller.interrupted.get());
        assertTrue(index.future().isCancelled());
    }

    @Test
    void interrupt_withTheCallersOnlyThread_needsNoOther() throws Exception {
        Runs.Stepping executor = new Runs.Stepping();
        Caller caller = new Caller(() -> Runs.engine(executor, 2).call(() -> Runs.indexed("k"), Runs.context(far)));
        FarStore.Pending index = far.pending.take();
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
                        ExecutionTest.await(go);
                        done.incrementAndGet();
                    } else {
                        ExecutionTest.await(working);
                        Thread.currentThread().interrupt();
                        interrupted.countDown();
                    }
                    return Plan.done();
                }));
        Caller caller = new Caller(() -> engine.call(() -> plan, Runs.context(new NearStore())));
        interrupted.await();
        ExecutionTest.awaitState(caller, Thread.State.WAITING);
        go.countDown();
        caller.join();
        assertInstanceOf(CancellationException.class, caller.thrown.get());
        assertTrue(caller.interrupted.get());
        assertEquals(1, done.get());
    }

    @Test
    void interruptedThread_getsNoFurtherThanTheFirstUnit() {
        NearStore near = new NearStore().with("k", Runs.shard("hello"));
        Thread.currentThread().interrupt();
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(near)));
        assertTrue(Thread.interrupted());
        assertEquals(0, near.reads.get());
        assertEquals(near.opened.get(), near.closed.get());
    }

    @Test
    void storeThatFailsBecauseOfTheInterrupt_isACancellation() {
        NearStore near = new NearStore().with("k", Runs.shard("hello"));
        near.onRead = key -> {
            Thread.currentThread().interrupt();
            throw new java.nio.channels.ClosedByInterruptException();
        };
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(near)));
        assertTrue(Thread.interrupted());
        near.onRead = key -> {
            Thread.currentThread().interrupt();
            throw new dev.shardkit.spi.error.StoreException("interrupted while reading");
        };
        assertThrows(CancellationException.class, () -> engine.call(() -> Runs.indexed("k"), Runs.context(near)));
        assertTrue(Thread.interrupted());
    }

    /** What looks corrupt is of two versions, and an interrupted thread cannot confirm that. */
    @Test
    void interruptedRead_ofAnObjectThatIsChangedInPlace_isACancellation() {
        NearStore near = new NearStore().with("k", Runs.shard("hello"));
        Plan<String> plan = Source.stored("k").read(ByteRange.whole(), (answer, scratch) -> {
            near.changeInPlace("k");
            Thread.currentThread().interrupt();
            throw new CorruptDataException("expected a frame");
        });
        Throwable thrown = assertThrows(CancellationException.class, () -> engine.call(() -> plan, Runs.context(near)));
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
                ExecutionTest.await(never);
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
