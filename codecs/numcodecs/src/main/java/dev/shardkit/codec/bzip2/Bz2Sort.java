package dev.shardkit.codec.bzip2;

import java.util.Arrays;

/**
 * The Burrows-Wheeler transform: sorts the rotations of a block by prefixes of 1, 2, 4 ... bytes. No input makes it
 * slow: it takes at most as many rounds as the length has bits.
 */
final class Bz2Sort {
    /** The number of the rotation that is the block itself. */
    private int origin;

    private final byte[] lastBytes;

    private Bz2Sort(byte[] lastBytes) {
        this.lastBytes = lastBytes;
    }

    /** Returns the index of the block itself among its sorted rotations. */
    int origin() {
        return origin;
    }

    /** Returns the last byte of each rotation, in their order. */
    byte[] lastBytes() {
        return lastBytes;
    }

    static Bz2Sort of(byte[] block, int n) {
        int[] order = new int[n];
        int[] ranks = new int[n];
        int[] nextOrder = new int[n];
        int[] nextRanks = new int[n];
        int[] starts = new int[Math.max(n, 256) + 1];
        for (int i = 0; i < n; i++) {
            ranks[i] = block[i] & 0xff;
            nextOrder[i] = i;
        }
        distribute(nextOrder, ranks, starts, 256, order);
        int distinct = rank(order, ranks, 0, nextRanks);
        for (int length = 1; distinct < n && length < n; length *= 2) {
            int[] swap = ranks;
            ranks = nextRanks;
            nextRanks = swap;
            // Sorted by their second half already; the first half decides, and equal ones stay in order.
            for (int i = 0; i < n; i++) {
                int position = order[i] - length;
                nextOrder[i] = position < 0 ? position + n : position;
            }
            distribute(nextOrder, ranks, starts, distinct, order);
            distinct = rank(order, ranks, length, nextRanks);
        }
        Bz2Sort sorted = new Bz2Sort(new byte[n]);
        for (int i = 0; i < n; i++) {
            int position = order[i];
            sorted.lastBytes[i] = block[position == 0 ? n - 1 : position - 1];
            if (position == 0) {
                sorted.origin = i;
            }
        }
        return sorted;
    }

    /** Sorts by rank into {@code to}; equal ones stay in order. */
    private static void distribute(int[] from, int[] ranks, int[] starts, int distinct, int[] to) {
        Arrays.fill(starts, 0, distinct + 1, 0);
        for (int rank : ranks) {
            starts[rank + 1]++;
        }
        for (int i = 1; i < distinct; i++) {
            starts[i] += starts[i - 1];
        }
        for (int position : from) {
            to[starts[ranks[position]]++] = position;
        }
    }

    /** Ranks rotations by their first {@code 2 * length} bytes, given their ranks by {@code length} bytes. */
    private static int rank(int[] order, int[] ranks, int length, int[] next) {
        int n = order.length;
        int rank = 0;
        next[order[0]] = 0;
        for (int i = 1; i < n; i++) {
            int a = order[i - 1];
            int b = order[i];
            if (ranks[a] != ranks[b] || ranks[wrapped(a + length, n)] != ranks[wrapped(b + length, n)]) {
                rank++;
            }
            next[b] = rank;
        }
        return rank + 1;
    }

    private static int wrapped(int offset, int n) {
        return offset >= n ? offset - n : offset;
    }
}
