package dev.shardkit.testkit;

import java.util.function.BooleanSupplier;

/** Waits for other threads of a test. */
public final class Waits {
    private static final long NANOS = 10_000_000_000L;

    private Waits() {}

    /** Waits until another thread has done something, ten seconds at most. */
    public static void until(BooleanSupplier done) {
        long start = System.nanoTime();
        while (!done.getAsBoolean() && System.nanoTime() - start < NANOS) {
            Thread.onSpinWait();
        }
    }
}
