package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.run.PlanExecutionTest;
import dev.shardkit.spi.plan.NoResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking callers decode with permits: whose thread does the work, and that nobody is stopped by others. */
@Timeout(120)
class DecodePermitsTest {
    private static final String DECODER = "decoder-of-a-test-";
    private static final long FOREVER = TimeUnit.DAYS.toNanos(1);

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private static WorkerPool pool() {
        return new WorkerPool(2, CallThreads.platform(DECODER));
    }

    /** Starts a thread that holds a permit until {@code go}. */
    private Thread hold(DecodePermits permits) throws InterruptedException {
        Thread holder = new Thread(() -> permits.run(() -> {
            inside.countDown();
            PlanExecutionTest.await(go);
            return NoResult.INSTANCE;
        }));
        holder.start();
        inside.await();
        return holder;
    }

    /** Takes a turn on a thread of its own, and waits until its work is queued. */
    private static <V> Caller<V> queue(DecodePermits permits, Supplier<V> work) {
        CompletableFuture<V> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(permits.run(work));
            } catch (Throwable e) {
                outcome.completeExceptionally(e);
            }
        });
        thread.start();
        while (permits.waiting() == 0 && !outcome.isDone()) {
            Thread.onSpinWait();
        }
        return new Caller<>(thread, outcome);
    }

    private record Caller<V>(Thread thread, CompletableFuture<V> outcome) {}

    @Test
    void freePlace_isTheCallers() {
        DecodePermits permits = new DecodePermits(1, pool());
        assertSame(Thread.currentThread(), permits.run(Thread::currentThread));
        assertEquals(1, permits.free());
    }

    @Test
    void workThatWaits_isDoneByAThreadThatTakesThePlaceOver() throws Exception {
        DecodePermits permits = new DecodePermits(1, pool(), FOREVER);
        Thread holder = hold(permits);
        Caller<String> second = queue(permits, () -> Thread.currentThread().getName());
        go.countDown();
        assertTrue(second.outcome().get().startsWith(DECODER), second.outcome().get());
        holder.join();
        permits.run(() -> NoResult.INSTANCE); // after the permit is back, or behind its thread
        assertEquals(0, permits.waiting());
    }

    @Test
    void failureOfWorkThatWaited_reachesItsCaller() throws Exception {
        DecodePermits permits = new DecodePermits(1, pool(), FOREVER);
        hold(permits);
        AssertionError failure = new AssertionError("of the work");
        Caller<String> second = queue(permits, () -> {
            throw failure;
        });
        go.countDown();
        Exception e = assertThrows(Exception.class, () -> second.outcome().get());
        assertSame(failure, e.getCause());
    }

    @Test
    void interruptedCaller_takesItsWorkBack() throws Exception {
        DecodePermits permits = new DecodePermits(1, pool(), FOREVER);
        Thread holder = hold(permits);
        Caller<Thread> second = queue(permits, () -> {
            assertTrue(Thread.currentThread().isInterrupted());
            return Thread.currentThread();
        });
        second.thread().interrupt();
        assertSame(second.thread(), second.outcome().get());
        go.countDown();
        holder.join();
        assertEquals(1, permits.free());
    }

    @Test
    void placeThatIsBlocked_stopsNobody() throws Exception {
        DecodePermits permits = new DecodePermits(1, pool());
        Thread holder = hold(permits);
        assertEquals("nested", permits.run(() -> permits.run(() -> "nested")));
        go.countDown();
        holder.join();
        assertEquals(1, permits.free());
    }

    @Test
    void threadsThatNeverRun_stopNobody() throws Exception {
        List<Executor> executors = List.of(work -> {}, work -> {
            throw new RejectedExecutionException();
        });
        for (Executor threads : executors) {
            DecodePermits permits = new DecodePermits(1, threads);
            List<Thread> callers = new ArrayList<>();
            AtomicInteger done = new AtomicInteger();
            for (int i = 0; i < 4; i++) {
                callers.add(new Thread(() -> {
                    for (int k = 0; k < 10; k++) {
                        permits.run(done::incrementAndGet);
                    }
                }));
            }
            callers.forEach(Thread::start);
            for (Thread t : callers) {
                t.join();
            }
            assertEquals(40, done.get());
        }
    }

    @Test
    void placesOfManyThreads_areAllGivenBack() throws Exception {
        DecodePermits permits = new DecodePermits(2, pool());
        AtomicInteger done = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            int number = i;
            threads.add(new Thread(() -> {
                for (int k = 0; k < 500; k++) {
                    if (number == 0 && k % 100 == 0) {
                        Thread.currentThread().interrupt();
                    }
                    permits.run(done::incrementAndGet);
                    Thread.interrupted();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread t : threads) {
            t.join();
        }
        assertEquals(16 * 500, done.get());
        while (permits.free() < 2) {
            Thread.onSpinWait(); // a thread that serves the queue gives its permit back after the last work
        }
    }
}
