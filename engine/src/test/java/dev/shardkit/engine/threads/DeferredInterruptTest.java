package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeferredInterruptTest {
    /** Fails as engine calls do on an interrupted thread. */
    private static int interruptible() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        return 7;
    }

    @Test
    void interruptBefore_isKeptForLater() {
        Thread.currentThread().interrupt();
        assertEquals(7, DeferredInterrupt.run(DeferredInterruptTest::interruptible));
        assertTrue(Thread.interrupted());
    }

    @Test
    void interruptMeanwhile_repeatsTheWork() {
        AtomicInteger runs = new AtomicInteger();
        int value = DeferredInterrupt.run(() -> {
            if (runs.incrementAndGet() < 3) {
                Thread.currentThread().interrupt();
            }
            return interruptible();
        });
        assertEquals(7, value);
        assertEquals(3, runs.get());
        assertTrue(Thread.interrupted());
    }

    @Test
    void otherCancellations_endTheWork() {
        assertThrows(
                CancellationException.class,
                () -> DeferredInterrupt.run(() -> {
                    throw new CancellationException("by the caller");
                }));
        assertFalse(Thread.interrupted());
    }
}
