package dev.shardkit.outofmemory;

import org.jspecify.annotations.Nullable;

/**
 * Memory that the process keeps aside for the end of calls ({@link Completions}). Without it, steps that allocate a few
 * bytes would fail for as long as the heap is full. Thread-safe; releasing allocates nothing.
 */
final class EmergencyReserve {
    /** The size of the reserve: enough for the ends of a thousand calls, which need some hundred bytes each. */
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
