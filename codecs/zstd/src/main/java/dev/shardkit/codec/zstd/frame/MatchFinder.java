package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/** Finds matches. Keeps its tables; not for use by two threads at a time. */
sealed interface MatchFinder permits FastFinder, DoubleFinder, ChainFinder {
    /** How near to the end of a block no match begins any more: what is hashed and compared are words, at most. */
    int MARGIN = 16;

    /** A frame of {@code size} bytes begins at {@code start} of its array. */
    void begin(int start, int size);

    /**
     * Takes the block from {@code from} up to {@code to} apart.
     *
     * @param lowest where the window begins
     */
    void find(byte[] in, int lowest, int from, int to, Parts parts);

    /** How many bytes are the same from {@code a} and from the later {@code b} on, up to {@code to}. */
    static int length(byte[] in, int a, int b, int to) {
        int at = b;
        int shift = a - b;
        while (at <= to - 8) {
            long differs = Words.int64(in, at) ^ Words.int64(in, at + shift);
            if (differs != 0) {
                return at - b + (Long.numberOfTrailingZeros(differs) >>> 3);
            }
            at += 8;
        }
        while (at < to && in[at] == in[at + shift]) {
            at++;
        }
        return at - b;
    }

    /** The hash of the lowest {@code 64 - drop} bits of a word, as {@code 64 - shift} bits. */
    static int hash(long word, int drop, int shift) {
        return (int) ((word << drop) * 0x9E3779B97F4A7C15L >>> shift);
    }

    /** The logarithm of the table size for {@code size} bytes, at most {@code log}. */
    static int tableLog(int log, int size) {
        return Math.max(8, Math.min(log, 32 - Integer.numberOfLeadingZeros(Math.max(0, size - 1))));
    }
}
