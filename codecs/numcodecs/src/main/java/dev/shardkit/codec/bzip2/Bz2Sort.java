package dev.shardkit.codec.bzip2;

import java.util.Arrays;

/**
 * The Burrows-Wheeler transform, the first step of bzip2: sorts the rotations of a block, by their first byte, then by
 * their first 2, 4, 8 ... bytes (prefix doubling). The index of a rotation is that of its first byte in the block. No
 * input makes it slow: the number of rounds is at most the number of bits of the block's length.
 */
final class Bz2Sort {
    /** The last byte of each rotation, in the order of the sorted rotations. */
    private final byte[] lastBytes;

    private int origin;

    private Bz2Sort(byte[] lastBytes) {
        this.lastBytes = lastBytes;
    }

    /** Returns the index of the block itself among its sorted rotations. */
    int origin() {
        return origin;
    }

    /** Returns the last byte of each rotation, in the order of the sorted rotations. */
    byte[] lastBytes() {
        return lastBytes;
    }

    /** Sorts the rotations of the first {@code size} bytes of a block. */
    static Bz2Sort of(byte[] block, int size) {
        int[] order = new int[size];
        int[] ranks = new int[size];
        int[] nextOrder = new int[size];
        int[] nextRanks = new int[size];
        int[] starts = new int[Math.max(size, 256) + 1];
        for (int i = 0; i < size; i++) {
            ranks[i] = block[i] & 0xff;
            nextOrder[i] = i;
        }
        distribute(nextOrder, ranks, starts, 256, order);
        int distinct = rank(order, ranks, 0, nextRanks);
        for (int length = 1; distinct < size && length < size; length *= 2) {
            int[] swap = ranks;
            ranks = nextRanks;
            nextRanks = swap;
            // The rotations are sorted by their first length bytes. So listing, for each of them, the rotation
            // that starts length bytes earlier sorts the latter by their second halves. A stable sort by their first
            // halves then sorts them by both.
            for (int i = 0; i < size; i++) {
                int position = order[i] - length;
                nextOrder[i] = position < 0 ? position + size : position;
            }
            distribute(nextOrder, ranks, starts, distinct, order);
            distinct = rank(order, ranks, length, nextRanks);
        }
        Bz2Sort sorted = new Bz2Sort(new byte[size]);
        for (int i = 0; i < size; i++) {
            int position = order[i];
            sorted.lastBytes[i] = block[position == 0 ? size - 1 : position - 1];
            if (position == 0) {
                sorted.origin = i;
            }
        }
        return sorted;
    }

    /** Copies {@code from} to {@code to}, sorted by rank. Equal ranks stay in order (a counting sort). */
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

    /**
     * Ranks rotations by their first {@code 2 * length} bytes, given their ranks by {@code length} bytes. If
     * {@code length} is 0, ranks by their first byte, given their bytes. Returns the number of distinct ranks.
     */
    private static int rank(int[] order, int[] ranks, int length, int[] next) {
        int size = order.length;
        int rank = 0;
        next[order[0]] = 0;
        for (int i = 1; i < size; i++) {
            int a = order[i - 1];
            int b = order[i];
            if (ranks[a] != ranks[b] || ranks[wrapped(a + length, size)] != ranks[wrapped(b + length, size)]) {
                rank++;
            }
            next[b] = rank;
        }
        return rank + 1;
    }

    private static int wrapped(int offset, int size) {
        return offset >= size ? offset - size : offset;
    }
}
