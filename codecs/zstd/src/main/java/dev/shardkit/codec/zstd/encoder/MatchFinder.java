package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * Searches for repetitions (matches) in the bytes of a frame. The level selects an implementation
 * ({@link SearchEffort}). Keeps its hash tables from frame to frame; not thread-safe.
 */
sealed interface MatchFinder permits FastFinder, DoubleFinder, ChainFinder {
    /**
     * The minimum distance in bytes from the start of a match to the end of its block, because up to a word is hashed
     * and compared.
     */
    int MARGIN = 16;

    /** Begins a frame of {@code size} bytes at {@code start} of its array. */
    void begin(int start, int size);

    /**
     * Divides the block from {@code from} to {@code to} into literals and matches.
     *
     * @param minPosition the start of the window, before which no match may refer
     * @param parts receives the literals and matches
     */
    void find(byte[] in, int minPosition, int from, int to, BlockSequences parts);

    /** Returns the number of equal bytes from {@code a} and from the later {@code b} on, up to {@code to}. */
    static int length(byte[] in, int a, int b, int to) {
        int position = b;
        int shift = a - b;
        while (position <= to - 8) {
            long differs = Words.int64(in, position) ^ Words.int64(in, position + shift);
            if (differs != 0) {
                return position - b + (Long.numberOfTrailingZeros(differs) >>> 3);
            }
            position += 8;
        }
        while (position < to && in[position] == in[position + shift]) {
            position++;
        }
        return position - b;
    }

    /** Returns a hash of the lowest {@code 64 - droppedBits} bits of a word, with {@code 64 - shift} bits. */
    static int hash(long word, int droppedBits, int shift) {
        return (int) ((word << droppedBits) * 0x9E3779B97F4A7C15L >>> shift);
    }

    /** Returns the logarithm of the table size for {@code size} bytes, at most {@code log}. */
    static int tableLog(int log, int size) {
        return Math.max(8, Math.min(log, 32 - Integer.numberOfLeadingZeros(Math.max(0, size - 1))));
    }
}
