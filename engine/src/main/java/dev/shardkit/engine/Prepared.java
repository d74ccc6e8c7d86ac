package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;

/**
 * An asynchronous call that has not begun. Its future exists before it begins, so whoever holds the future can cancel
 * the call while it begins.
 *
 * @param starting begins the call; throws nothing
 */
public record Prepared<T>(CompletableFuture<T> future, Runnable starting) {
    /** Returns a call that has ended. */
    public static <T> Prepared<T> ended(T value) {
        return new Prepared<>(CompletableFuture.completedFuture(value), () -> {});
    }

    /** Begins the call; to be called once. If the future was cancelled before, nothing is done. */
    public void begin() {
        starting.run();
    }
}
