package dev.shardkit.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.transport.timer.TimerThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClockTest {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private static void await(CountDownLatch end) throws InterruptedException {
        assertTrue(end.await(60, TimeUnit.SECONDS));
    }

    @Test
    void taskWithoutMemory_runsAgain_andLaterOnesRunToo() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(2);
        TimerThread.after(0, () -> {
            if (tries.incrementAndGet() < 4) {
                throw new OutOfMemoryError("made up");
            }
            end.countDown();
        });
        TimerThread.after(MILLISECOND, end::countDown);
        await(end);
        assertEquals(4, tries.get());
    }

    @Test
    void taskThatFails_doesNotStopTheClock() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        TimerThread.after(0, () -> {
            throw new IllegalStateException("made up");
        });
        TimerThread.after(0, () -> {
            throw new AssertionError("made up");
        });
        TimerThread.after(MILLISECOND, end::countDown);
        await(end);
    }

    @Test
    void tasks_runInTheOrderOfTheirTimes_butCancelledOnesDoNot() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        TimerThread.after(
                0,
                () -> { // until all tasks are there
                    boolean ready = false;
                    while (!ready) {
                        ready = begun.getCount() == 0;
                        Thread.onSpinWait();
                    }
                });
        // Late enough that a pause of this thread does not make it due before the next one.
        TimerThread.after(500 * MILLISECOND, () -> {
            order.add(3);
            end.countDown();
        });
        TimerThread.after(MILLISECOND, () -> order.add(1));
        TimerThread.Due cancelled = TimerThread.after(2 * MILLISECOND, () -> order.add(2));
        cancelled.cancel();
        begun.countDown();
        await(end);
        assertEquals(List.of(1, 3), order);
    }
}
