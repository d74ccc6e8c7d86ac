package dev.shardkit.store;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for the results of stores. */
final class Waiting {
    private Waiting() {}

    /**
     * Waits for a stage and returns its value. An interrupt cancels the stage.
     *
     * @param doing the operation that is awaited, for messages
     */
    static <T> T of(CompletionStage<T> stage, String doing) throws IOException {
        CompletableFuture<T> future = stage.toCompletableFuture();
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while " + doing, e);
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
            throw new StoreException(doing + " failed: " + cause, cause);
        }
    }
}
