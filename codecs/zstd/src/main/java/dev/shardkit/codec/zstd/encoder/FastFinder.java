package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * A finder of matches for the levels up to 2, also a part of {@link DoubleFinder}. A match is a range of bytes that
 * also occur earlier. At each position, the finder tries only the last offset and the last position whose next few
 * bytes have the same hash. Not thread-safe.
 */
final class FastFinder implements MatchFinder {
    /** The binary logarithm of the number of bytes without a match after which the step grows by one. */
    private static final int PATIENCE = 7;
    /** The most frequent length of matches in noisy numbers of two bytes. */
    private static final int USUAL = 5;

    private final PositionTable positions = new PositionTable();
    private final int log;
    /** The number of highest bits of a word that hashes and comparisons ignore. */
    private final int droppedBits;
    /** How far to advance from a position without a match, at first. */
    private final int step;
    /** The number of bits of a 64-bit product that are not in the hash. */
    private int shift;
    /** The table stores a position plus this number, so that entries of earlier frames are out of range. */
    private int number;

    /**
     * Creates a finder.
     *
     * @param log the binary logarithm of its table size, for large frames
     * @param shortest the minimum length of a match, 4 to 8
     * @param step how far to advance if there is no match
     */
    FastFinder(int log, int shortest, int step) {
        this.log = log;
        this.droppedBits = 64 - 8 * shortest;
        this.step = step;
    }

    @Override
    public void begin(int start, int size) {
        begin(start, size, MatchFinder.tableLog(log, size));
    }

    /** Begins a frame, with {@code 1 << bits} entries. */
    void begin(int start, int size, int bits) {
        shift = 64 - bits;
        number = positions.open(bits, size) - start;
    }

    @Override
    public void find(byte[] in, int minPosition, int from, int to, BlockSequences parts) {
        int anchor = search(in, minPosition, from, from, to - MARGIN, to, parts);
        parts.literals(in, anchor, to - anchor);
    }

    /**
     * Finds matches that begin from {@code start} on and before {@code end}; returns the end of the last one.
     *
     * @param from the first byte that is not in {@code parts} yet
     * @param to the end of the block, up to which matches may extend
     */
    int search(byte[] in, int minPosition, int from, int start, int end, int to, BlockSequences parts) {
        int[] entries = positions.entries();
        int shift = this.shift;
        int number = this.number;
        int droppedBits = this.droppedBits;
        int anchor = from;
        int position = start;
        while (position < end) {
            long word = Words.int64(in, position);
            int hash = MatchFinder.hash(word, droppedBits, shift);
            int match = entries[hash] - number;
            entries[hash] = position + number;
            int repeated = position + 1 - parts.lastOffset();
            if (repeated >= minPosition && Words.int32(in, repeated) == (int) (word >>> 8)) {
                position++;
                match = repeated;
            } else if (match < minPosition || (Words.int64(in, match) ^ word) << droppedBits != 0) {
                position += step + (position - anchor >> PATIENCE);
                continue;
            }
            int matchPosition = position;
            int length = 4 + MatchFinder.length(in, match + 4, position + 4, to);
            position = addMatch(in, minPosition, anchor, position, match, position + length, parts);
            anchor = position;
            if (position < end) {
                index(in, matchPosition + 2);
                index(in, position - 2);
                position = repeats(in, minPosition, position, to, parts);
                anchor = position;
            }
        }
        return anchor;
    }

    /**
     * Finds matches like {@link #search}, but only at every second position (at even positions if {@code lane} is 0, at
     * odd ones if it is 1) and without trying the last offset. This takes half the time, and because the table has half
     * as many positions, it reaches twice as far back.
     */
    int lane(byte[] in, int minPosition, int from, int start, int end, int to, BlockSequences parts, int lane) {
        int[] entries = positions.entries();
        int shift = this.shift;
        int number = this.number;
        int droppedBits = this.droppedBits;
        int anchor = from;
        int position = start + ((start ^ lane) & 1);
        while (position < end) {
            long word = Words.int64(in, position);
            int hash = MatchFinder.hash(word, droppedBits, shift);
            int match = entries[hash] - number;
            entries[hash] = position + number;
            long differs;
            if (match < minPosition || (differs = Words.int64(in, match) ^ word) << droppedBits != 0) {
                position += 2 + (position - anchor >> PATIENCE << 1);
                continue;
            }
            int matchPosition = position;
            int length = differs == 0
                    ? 8 + MatchFinder.length(in, match + 8, position + 8, to)
                    : Long.numberOfTrailingZeros(differs) >>> 3;
            // Both branches give the same end. The processor predicts the branch of the usual length, and continues
            // before it has computed the length.
            int laneEnd = length == USUAL ? position + USUAL : position + length;
            anchor = addMatch(in, minPosition, anchor, position, match, laneEnd, parts);
            position = anchor + ((anchor ^ lane) & 1);
            if (position < end) {
                index(in, matchPosition + 2);
                index(in, position - 2);
            }
        }
        return anchor;
    }

    /**
     * Adds the match between the bytes from {@code matchPosition} to {@code end} and those from {@code earlier} on to
     * {@code parts}. Extends it backwards first. Returns its end.
     *
     * @param anchor the end of the previous match, up to which a match may be extended backwards
     */
    static int addMatch(
            byte[] in, int minPosition, int anchor, int matchPosition, int earlier, int end, BlockSequences parts) {
        int position = matchPosition;
        int match = earlier;
        while (position > anchor && match > minPosition && in[position - 1] == in[match - 1]) {
            position--;
            match--;
        }
        parts.add(in, anchor, position - anchor, position - match, end - position);
        return end;
    }

    /** Adds the position {@code offset} to the table. */
    void index(byte[] in, int offset) {
        positions.entries()[MatchFinder.hash(Words.int64(in, offset), droppedBits, shift)] = offset + number;
    }

    /**
     * Adds {@code word} at {@code offset} to the table; returns its previous position, or a position before all valid
     * ones.
     */
    int swap(long word, int offset) {
        int[] entries = positions.entries();
        int hash = MatchFinder.hash(word, droppedBits, shift);
        int previous = entries[hash] - number;
        entries[hash] = offset + number;
        return previous;
    }

    /** Returns whether two words begin with a match. */
    boolean equalPrefix(long a, long b) {
        return (a ^ b) << droppedBits == 0;
    }

    /** Adds matches that follow directly, from {@code start} on, with the last offset but one; returns their end. */
    static int repeats(byte[] in, int minPosition, int start, int to, BlockSequences parts) {
        int position = start;
        while (position < to - MARGIN) {
            int match = position - parts.offsetBefore();
            if (match < minPosition || Words.int32(in, match) != Words.int32(in, position)) {
                break;
            }
            int length = 4 + MatchFinder.length(in, match + 4, position + 4, to);
            parts.add(in, position, 0, position - match, length);
            position += length;
        }
        return position;
    }
}
