package dev.shardkit.engine.threads;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits of callers for one another. An interrupt ends them; the caller's interrupt status stays set. Stateless. */
public final class InterruptibleWait {
    private InterruptibleWait() {}

    /**
     * Waits for the work of another thread, and returns its result or throws its failure.
     *
     * @throws CancellationException if the thread is interrupted; the work goes on
     */
    public static <T> T of(CompletableFuture<T> work) {
        try {
            return work.get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : new CompletionException(e.getCause());
        }
    }

    /**
     * Waits until another thread notifies a monitor, which the caller holds.
     *
     * @throws CancellationException if the thread is interrupted
     */
    public static void forChange(Object monitor) {
        try {
            monitor.wait();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted");
    }

    /** Returns whether the calling thread was interrupted, and not only the work that it waited for. */
    public static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
