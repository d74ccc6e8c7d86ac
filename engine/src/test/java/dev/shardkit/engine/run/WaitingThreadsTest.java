package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.nio.channels.ClosedByInterruptException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits for a run's future works for the run, whatever other threads do. */
@Timeout(180)
class WaitingThreadsTest {
    private final LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
    private final ReadContext context = Runs.context(local);
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService single = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        release.countDown();
        single.shutdownNow();
    }

    /** Keeps the only worker until {@link #release}. */
    private Engine withABusyWorker() throws InterruptedException {
        Engine engine = Runs.engine(1);
        CountDownLatch begun = new CountDownLatch(1);
        engine.start(
                () -> unit(() -> {
                    begun.countDown();
                    release.await();
                }),
                context);
        begun.await();
        return engine;
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static Plan<NoResult> unit(Step step) {
        return Plan.defer(DataLocation.nowhere(), scratch -> {
            try {
                step.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Plan.done();
        });
    }

    @Test
    void join_needsNoWorker() throws Exception {
        Engine engine = withABusyWorker();
        assertEquals("hello", engine.start(() -> Runs.indexed("k"), context).join());
        assertEquals("hello", engine.start(() -> Runs.indexed("k"), context).get());
    }

    @Test
    void waitWithALimit_doesNoWork() throws Exception {
        Engine engine = withABusyWorker();
        AtomicInteger done = new AtomicInteger();
        CompletableFuture<NoResult> future = engine.start(() -> unit(done::incrementAndGet), context);
        assertThrows(TimeoutException.class, () -> future.get(1, TimeUnit.MILLISECONDS));
        future.orTimeout(1, TimeUnit.MILLISECONDS);
        assertThrows(Exception.class, future::join);
        assertEquals(0, done.get());
    }

    @Test
    void join_onTheOnlyThreadOfTheExecutor_ends() throws Exception {
        Engine engine = Runs.engine(single, 4);
        Future<String> read = single.submit(
                () -> engine.start(() -> Runs.indexed("k"), context).join());
        assertEquals("hello", read.get());
    }

    @Test
    void join_onTheOnlyThread_ofARemoteStore_worksForTheNextAttemptToo() throws Exception {
        RemoteStore remote = new RemoteStore().with("k", Runs.shard("hello")).asking();
        Engine engine = Runs.engine(single, 4);
        Future<String> read = single.submit(() ->
                engine.start(() -> Runs.indexed("k"), Runs.context(remote)).join());
        remote.refuse(remote.pending.take());
        remote.answer(remote.pending.take());
        remote.answer(remote.pending.take());
        assertEquals("hello", read.get());
    }

    @Test
    void waitingThread_isOneOfTheThreadsOfTheCall() {
        AtomicInteger busy = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Plan<NoResult> plan = Plan.each(
                2_000,
                i -> unit(() -> {
                    threads.add(Thread.currentThread());
                    most.accumulateAndGet(busy.incrementAndGet(), Math::max);
                    Thread.yield();
                    busy.decrementAndGet();
                }));
        for (int i = 0; i < 20; i++) {
            Runs.engine(2).start(() -> plan, context).join();
        }
        assertTrue(threads.contains(Thread.currentThread()));
        assertTrue(most.get() <= 2, most + " threads");
    }

    @Test
    void secondWaitingThread_waits() throws Exception {
        Engine engine = withABusyWorker();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<NoResult> future = engine.start(
                () -> unit(() -> {
                    begun.countDown();
                    go.await();
                }),
                context);
        Future<NoResult> first = single.submit(() -> future.join());
        begun.await();
        CompletableFuture<NoResult> second = new CompletableFuture<>();
        Thread other = new Thread(() -> second.complete(future.join()));
        other.start();
        go.countDown();
        assertSame(NoResult.INSTANCE, first.get());
        assertSame(NoResult.INSTANCE, second.get());
    }

    /** The thread's interrupt closes what it reads; the run is not its own, so it goes on. */
    @Test
    void interruptOfTheWaitingThread_leavesTheRunToWorkers() throws Exception {
        Engine engine = withABusyWorker();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiting = Thread.currentThread();
        local.onRead = key -> {
            if (Thread.currentThread() == waiting && interrupted.compareAndSet(false, true)) {
                waiting.interrupt();
                throw new ClosedByInterruptException();
            }
        };
        CompletableFuture<String> future = engine.start(this::content, context);
        assertThrows(InterruptedException.class, future::get);
        assertFalse(future.isDone());
        release.countDown();
        assertEquals("2", future.join());
    }

    private Plan<String> content() {
        return Runs.text(Source.stored("k"), new ByteRange.Slice(0, 1));
    }

    @Test
    void interruptedThread_joins_withoutWork() throws Exception {
        Engine engine = Runs.engine(1);
        Thread.currentThread().interrupt();
        assertEquals("2", engine.start(this::content, context).join());
        assertTrue(Thread.interrupted());
    }

    @Test
    void cancelledByAnotherThread_endsTheWait() throws Exception {
        RemoteStore remote = new RemoteStore().with("k", Runs.shard("hello")).asking();
        CompletableFuture<String> future = Runs.engine(1).start(() -> Runs.indexed("k"), Runs.context(remote));
        Future<?> waiting = single.submit(() -> assertThrows(CancellationException.class, future::join));
        remote.pending.take();
        future.cancel(true);
        waiting.get();
    }
}
