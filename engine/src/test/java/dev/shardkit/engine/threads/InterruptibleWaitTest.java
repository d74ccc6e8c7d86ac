package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class InterruptibleWaitTest {
    @Test
    void resultOrFailure_isThatOfTheWork() {
        assertEquals(3, InterruptibleWait.of(CompletableFuture.completedFuture(3)));
        for (Throwable failure : new Throwable[] {new IllegalStateException("disk"), new LinkageError("code")}) {
            CompletableFuture<?> failed = CompletableFuture.failedFuture(failure);
            assertSame(failure, assertThrows(failure.getClass(), () -> InterruptibleWait.of(failed)));
        }
        IOException checked = new IOException("disk");
        CompletableFuture<?> failed = CompletableFuture.failedFuture(checked);
        assertSame(
                checked,
                assertThrows(CompletionException.class, () -> InterruptibleWait.of(failed))
                        .getCause());
    }

    @Test
    void interrupt_endsAWait_andIsKept() {
        Object monitor = new Object();
        for (Runnable wait : new Runnable[] {
            () -> InterruptibleWait.of(new CompletableFuture<>()),
            () -> {
                synchronized (monitor) {
                    InterruptibleWait.forChange(monitor);
                }
            }
        }) {
            assertFalse(InterruptibleWait.isInterrupted());
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, wait::run);
            assertTrue(Thread.interrupted());
        }
    }
}
