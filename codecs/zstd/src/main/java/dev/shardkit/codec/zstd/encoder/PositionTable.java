package dev.shardkit.codec.zstd.encoder;

import java.util.Arrays;

/**
 * A hash table of positions that can be cleared in constant time: stored numbers grow from frame to frame, and numbers
 * below the frame's first one are invalid. Reused; not thread-safe.
 */
final class PositionTable {
    private int[] entries = {};
    private int next = 1;

    /** Clears {@code 1 << log} entries; returns the number of the first of {@code size} positions. */
    int open(int log, int size) {
        if (entries.length < 1 << log) {
            entries = new int[1 << log];
            next = 1;
        } else if (next > Integer.MAX_VALUE - size) {
            Arrays.fill(entries, 0);
            next = 1;
        }
        int first = next;
        next += size;
        return first;
    }

    /** Returns at least the requested number of entries; all numbers except those of this frame are invalid. */
    int[] entries() {
        return entries;
    }
}
