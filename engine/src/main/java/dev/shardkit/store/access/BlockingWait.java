package dev.shardkit.store.access;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for the results of stores. */
final class BlockingWait {
    private BlockingWait() {}

    /**
     * Waits for a stage and returns its value. An interrupt cancels the stage.
     *
     * @param operation the operation that is awaited, for messages
     */
    static <T> T of(CompletionStage<T> stage, String operation) throws IOException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            return get(future, operation);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while " + operation, e);
        }
    }

    /**
     * Waits for the end of a change, because an abandoned change might still be made later. An interrupt does not end
     * the wait; the thread is interrupted again afterwards.
     */
    static <T> T ofChange(CompletionStage<T> stage, String operation) throws IOException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return get(future, operation);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits, and throws the failure of a stage itself instead of its wrappers. */
    private static <T> T get(CompletableFuture<T> future, String operation) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            if (cause instanceof ZarrException z) {
                throw z;
            } else if (cause instanceof IOException io) {
                throw io;
            } else if (cause instanceof RuntimeException r) {
                throw r;
            } else if (cause instanceof Error error) {
                throw error;
            }
            throw new StoreException(operation + " failed: " + cause, cause);
        }
    }
}
