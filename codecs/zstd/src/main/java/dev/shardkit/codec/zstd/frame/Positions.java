package dev.shardkit.codec.zstd.frame;

import java.util.Arrays;

/**
 * A hash table of positions that is emptied without being touched: what is stored grows from frame to frame, and what
 * is below the frame's own first number counts as nothing. Reused; not thread-safe.
 */
final class Positions {
    private int[] entries = {};
    private int next = 1;

    /** Empties {@code 1 << log} entries; gives the number that stands for the first of {@code size} positions. */
    int begin(int log, int size) {
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

    /** As many as were asked for, or more; any number but those of this frame is nothing. */
    int[] entries() {
        return entries;
    }
}
