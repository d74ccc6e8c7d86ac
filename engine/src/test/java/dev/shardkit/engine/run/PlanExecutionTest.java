package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
public class PlanExecutionTest {
    private static final LocalStore EMPTY = new LocalStore();

    private static Plan<NoResult> fails(RuntimeException e) {
        return Plan.defer(DataLocation.of("k").inner(new long[] {3, 4}), scratch -> {
            throw e;
        });
    }

    @Test
    void manyParts_stayWithinTheWindow() {
        int parts = Rounds.of(100_000);
        AtomicLong open = new AtomicLong();
        AtomicLong most = new AtomicLong();
        AtomicLong done = new AtomicLong();
        Plan<NoResult> plan = Plan.each(parts, i -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            return Plan.defer(DataLocation.nowhere(), scratch -> {
                open.decrementAndGet();
                done.incrementAndGet();
                return Plan.done();
            });
        });
        Runs.engine(2).call(() -> plan, Runs.context(EMPTY));
        assertEquals(parts, done.get());
        assertTrue(most.get() <= WorkUnit.WINDOW, "open at once: " + most);
    }

    @Test
    void failure_inTheMiddle_endsTheRunAndNothingRunsAfterwards() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean late = new AtomicBoolean();
        Plan<NoResult> plan = Plan.each(
                100_000,
                i -> i == 5000
                        ? fails(new CorruptDataException("this one"))
                        : Plan.defer(DataLocation.nowhere(), scratch -> {
                            late.compareAndSet(false, over.get());
                            begun.incrementAndGet();
                            return Plan.done();
                        }));
        CorruptDataException e =
                assertThrows(CorruptDataException.class, () -> Runs.engine(4).call(() -> plan, Runs.context(EMPTY)));
        over.set(true);
        assertEquals("this one [array test:array, shard or chunk k, inner chunk [3, 4]]", e.getMessage());
        assertTrue(begun.get() < 100_000);
        assertTrue(!late.get());
    }

    @Test
    void call_afterAFailure_waitsForWorkersThatMayTouchTheTarget() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch failing = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicBoolean finished = new AtomicBoolean();
        Plan<NoResult> plan = Plan.each(
                2,
                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                    if (Thread.currentThread().getName().startsWith("shardkit-worker")) {
                        began.countDown();
                        await(finish);
                        finished.set(true);
                        return Plan.done();
                    }
                    await(began);
                    failing.countDown();
                    throw new CorruptDataException("the caller's part");
                }));
        AtomicBoolean seen = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            assertThrows(CorruptDataException.class, () -> Runs.engine(2).call(() -> plan, Runs.context(EMPTY)));
            seen.set(finished.get());
        });
        caller.start();
        await(failing);
        awaitState(caller, Thread.State.WAITING);
        finish.countDown();
        caller.join();
        assertTrue(seen.get(), "the call returned before its worker had ended");
    }

    /** Until it waits, or has ended where it should not. */
    public static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state && thread.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
    }

    /** Waits; an interrupt ends it and stays set. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void readError_saysArrayKeyInnerChunkAndRange() {
        LocalStore store = new LocalStore().with("c/0", new byte[10]);
        Source inner = Source.stored("c/0", 0, 10).inner(new long[] {1, 2}, 4, 3);
        StoreException e = assertThrows(StoreException.class, () -> {
            store.onRead = key -> {
                throw new IOException("disk on fire");
            };
            Runs.engine(1).call(() -> Runs.text(inner, ByteRange.whole()), Runs.context(store));
        });
        assertEquals(
                "the store failed: disk on fire [array test:array, shard or chunk c/0, "
                        + "inner chunk [1, 2], bytes 4 to 7]",
                e.getMessage());
    }

    @Test
    void pluginsOwnExceptions_areCorruptData_errorsAreThemselves() {
        RuntimeException own = new IllegalStateException("what is this");
        CorruptDataException e = assertThrows(
                CorruptDataException.class, () -> Runs.engine(1).call(() -> fails(own), Runs.context(EMPTY)));
        assertSame(own, e.getCause());
        OutOfMemoryError error = new OutOfMemoryError("made up");
        Plan<NoResult> fatal = Plan.each(
                50,
                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                    throw error;
                }));
        assertSame(error, assertThrows(OutOfMemoryError.class, () -> Runs.engine(3)
                .call(() -> fatal, Runs.context(EMPTY))));
        CompletableFuture<NoResult> future = Runs.engine(3).start(() -> fatal, Runs.context(EMPTY));
        assertSame(error, assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void checkedExceptionOfAPlugin_fromKotlinSay_endsTheRunToo() {
        Plan<NoResult> plan = Plan.each(
                50,
                i -> Plan.defer(DataLocation.nowhere(), scratch -> {
                    throw Failures.<RuntimeException>rethrow(new IOException("undeclared"));
                }));
        assertInstanceOf(
                IOException.class,
                assertThrows(CorruptDataException.class, () -> Runs.engine(2).call(() -> plan, Runs.context(EMPTY)))
                        .getCause());
        assertThrows(
                ExecutionException.class,
                () -> Runs.engine(2).start(() -> plan, Runs.context(EMPTY)).get());
    }

    @Test
    void failureWhileAPartIsMade_endsTheRun() {
        Plan<NoResult> plan = Plan.each(100_000, i -> {
            if (i == 50_000) {
                throw new CorruptDataException("no such part");
            }
            return Plan.defer(DataLocation.nowhere(), scratch -> Plan.done());
        });
        assertThrows(CorruptDataException.class, () -> Runs.engine(2).call(() -> plan, Runs.context(EMPTY)));
        CompletableFuture<NoResult> future = Runs.engine(2).start(() -> plan, Runs.context(EMPTY));
        assertInstanceOf(
                CorruptDataException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
    }

    @Test
    void nothingToDo_isDone() {
        assertEquals(
                NoResult.INSTANCE,
                Runs.engine(1).call(() -> Plan.each(0, i -> fails(new RuntimeException())), Runs.context(EMPTY)));
        assertEquals(
                "x",
                Runs.engine(1).start(() -> Plan.done("x"), Runs.context(EMPTY)).join());
    }

    @Test
    void emptySlice_isReadAsNothing() {
        LocalStore local = new LocalStore().with("k", "abc".getBytes());
        Plan<String> plan = Runs.text(Source.stored("k", 3, 0), ByteRange.whole());
        assertEquals("", Runs.engine(1).call(() -> plan, Runs.context(local)));
        RemoteStore remote = new RemoteStore().with("k", "abc".getBytes());
        assertEquals("", Runs.engine(1).call(() -> plan, Runs.context(remote)));
        assertEquals(0, remote.requests());
    }

    @Test
    void scratch_isTakenBackAfterEachStep() {
        LocalStore store = new LocalStore().with("k", new byte[100]);
        AtomicInteger buffers = new AtomicInteger();
        Plan<NoResult> plan =
                Plan.each(1000, i -> Source.stored("k", i % 50, 10).read(ByteRange.whole(), (answer, scratch) -> {
                    buffers.accumulateAndGet(scratch.mark(), Math::max);
                    scratch.borrow(10);
                    return NoResult.INSTANCE;
                }));
        Runs.engine(2).call(() -> plan, Runs.context(store));
        assertTrue(buffers.get() <= 1, "lent when a step begins: " + buffers);
    }
}
