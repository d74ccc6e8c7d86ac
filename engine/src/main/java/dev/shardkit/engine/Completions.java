package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Completes futures even if memory runs out meanwhile. Completing a future may allocate, also for its dependents; a
 * future that is never completed would hang its waiting threads. Only for futures of the engine's own.
 */
final class Completions {
    private Completions() {}

    /** Completes a future, and runs all its dependents. Throws nothing. */
    static <T> void complete(CompletableFuture<T> future, T value) {
        while (true) {
            try {
                future.complete(value);
                return;
            } catch (Throwable e) {
                Thread.yield(); // repeating the call runs the dependents that are left
            }
        }
    }

    /** Completes a future exceptionally, and runs all its dependents. Throws nothing. */
    static void fail(CompletableFuture<?> future, Throwable thrown) {
        while (true) {
            try {
                future.completeExceptionally(thrown);
                return;
            } catch (Throwable e) {
                Thread.yield(); // repeating the call runs the dependents that are left
            }
        }
    }
}
