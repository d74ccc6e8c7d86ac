package dev.shardkit.engine.threads;

import java.util.concurrent.CompletableFuture;

/**
 * An asynchronous call that has not begun. Its future exists before the call begins, so the holder of the future can
 * cancel the call even while it begins.
 *
 * @param starting begins the call; throws nothing
 */
public record PreparedCall<T>(CompletableFuture<T> future, Runnable starting) {
    /** Returns a call that has ended. */
    public static <T> PreparedCall<T> ended(T value) {
        return new PreparedCall<>(CompletableFuture.completedFuture(value), () -> {});
    }

    /** Begins the call. Called once. Does nothing if the future was cancelled before. */
    public void begin() {
        starting.run();
    }
}
