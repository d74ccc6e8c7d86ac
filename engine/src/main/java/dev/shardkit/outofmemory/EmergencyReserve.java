package dev.shardkit.outofmemory;

import org.jspecify.annotations.Nullable;

/**
 * Memory that the process keeps aside for the end of calls ({@link Completions}). In a heap that stays full, steps that
 * allocate a few bytes would fail for ever. Thread-safe; releasing allocates nothing.
 */
final class EmergencyReserve {
    /** Enough for the ends of thousands of calls: one needs some hundred bytes. */
    private static final int SIZE = 1 << 18;

    private static volatile @Nullable Object reserve = new byte[SIZE];

    private EmergencyReserve() {}

    /** Releases the reserve. Throws nothing. */
    static void release() {
        reserve = null;
    }

    /** Sets memory aside again, if it was released and the heap has room. Throws nothing. */
    static void refill() {
        if (reserve != null) {
            return;
        }
        try {
            Runtime heap = Runtime.getRuntime();
            long free = heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
            if (free > 16L * SIZE) {
                reserve = new byte[SIZE];
            }
        } catch (OutOfMemoryError e) {
            // a later call sets it aside
        }
    }
}
