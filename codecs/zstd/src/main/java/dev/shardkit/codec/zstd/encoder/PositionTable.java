package dev.shardkit.codec.zstd.encoder;

import java.util.Arrays;

/**
 * A hash table of positions that is cleared in constant time. It stores numbers of positions, which keep growing from
 * frame to frame; entries below the first number of the current frame are invalid. Reused; not thread-safe.
 */
final class PositionTable {
    private int[] entries = {};
    /** The number of the next frame's first position. */
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

    /** Returns the entries, at least as many as were requested. Those of earlier frames are invalid. */
    int[] entries() {
        return entries;
    }
}
