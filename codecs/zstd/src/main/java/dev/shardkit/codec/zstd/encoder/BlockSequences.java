package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * The parts of a block that a {@link MatchFinder} found: the literals, and sequences of a number of literals and a
 * match (RFC 8878, section 3.1.1.3.2). Tracks the repeated offsets (the last three), which carry over from block to
 * block of a frame. Reused; not thread-safe.
 */
final class BlockSequences {
    /** The number of bytes after the literals in their array that a copy of whole words may overwrite. */
    private static final int SLACK = 16;

    private static final int SHORTEST_MATCH = 3;
    /** The number of bits for each of the two lengths in a sequence. */
    private static final int LENGTH_BITS = 18;

    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    /** The number of repeated offsets. The encoded form of any other offset is the offset plus this number. */
    static final int REPEATED = 3;

    private byte[] literals = {};
    private int literalCount;
    /** Each sequence in one number: the offset in encoded form, the length of the match, the number of literals. */
    private long[] sequences = {};

    private int count;
    // The repeated offsets: the last one, the last but one, and the one before it.
    private int rep1;
    private int rep2;
    private int rep3;
    // The same before the block, for undo.
    private int oldRep1;
    private int oldRep2;
    private int oldRep3;

    /** Begins a frame. */
    void beginFrame() {
        rep1 = 1;
        rep2 = 4;
        rep3 = 8;
    }

    /** Begins a block of {@code size} bytes. */
    void beginBlock(int size) {
        if (literals.length < size + SLACK) {
            literals = new byte[size + SLACK];
            sequences = new long[size / SHORTEST_MATCH + 1];
        }
        literalCount = 0;
        count = 0;
        oldRep1 = rep1;
        oldRep2 = rep2;
        oldRep3 = rep3;
    }

    /** Restores the repeated offsets from before the block. Called if the block is not written as sequences. */
    void undo() {
        rep1 = oldRep1;
        rep2 = oldRep2;
        rep3 = oldRep3;
    }

    /** Appends a sequence: {@code literalLength} bytes of {@code in} from {@code from} on, and a match. */
    void add(byte[] in, int from, int literalLength, int offset, int matchLength) {
        literals(in, from, literalLength);
        sequences[count++] = (long) offsetValue(literalLength, offset) << 2 * LENGTH_BITS
                | (long) matchLength << LENGTH_BITS
                | literalLength;
    }

    /** Appends literals, with or without a following match. */
    void literals(byte[] in, int from, int n) {
        if (n <= SLACK && from <= in.length - SLACK) {
            Words.int64(literals, literalCount, Words.int64(in, from));
            Words.int64(literals, literalCount + 8, Words.int64(in, from + 8));
        } else {
            System.arraycopy(in, from, literals, literalCount, n);
        }
        literalCount += n;
    }

    /**
     * Returns the offset in encoded form: 1 to 3 for repeated offsets, higher for others. Updates the repeated offsets.
     * Directly after a match, without literals, 1 and 2 stand for the second and the third repeated offset, and 3 for
     * the last offset minus 1 (section 3.1.1.5).
     */
    private int offsetValue(int literalLength, int offset) {
        if (offset == rep1 && literalLength > 0) {
            return 1;
        }
        int shift = literalLength > 0 ? 0 : 1;
        if (offset == rep2) {
            rep2 = rep1;
            rep1 = offset;
            return 2 - shift;
        }
        int value = offset == rep3 ? REPEATED - shift : shift == 1 && offset == rep1 - 1 ? REPEATED : offset + REPEATED;
        rep3 = rep2;
        rep2 = rep1;
        rep1 = offset;
        return value;
    }

    /** Returns the last offset, which a match may repeat. */
    int lastOffset() {
        return rep1;
    }

    /** Returns the last offset but one. */
    int offsetBefore() {
        return rep2;
    }

    byte[] literals() {
        return literals;
    }

    int literalCount() {
        return literalCount;
    }

    /** Returns the sequences, whose parts the three methods below extract. */
    long[] sequences() {
        return sequences;
    }

    int count() {
        return count;
    }

    static int literalLength(long sequence) {
        return (int) sequence & LENGTH_MASK;
    }

    static int matchLength(long sequence) {
        return (int) (sequence >>> LENGTH_BITS) & LENGTH_MASK;
    }

    static int offsetValue(long sequence) {
        return (int) (sequence >>> 2 * LENGTH_BITS);
    }
}
