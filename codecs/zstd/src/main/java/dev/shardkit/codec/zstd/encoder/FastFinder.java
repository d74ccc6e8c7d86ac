package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * A finder for the levels up to 2, also a part of {@link DoubleFinder}. It has one candidate for each match: the last
 * position whose next few bytes have the same hash, or the last offset. Not thread-safe.
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

    private final int step;
    /** The number of bits of a 64-bit product that are not in the hash. */
    private int shift;
    /** The difference between the number of a position in the table and the position itself. */
    private int number;

    /**
     * Creates a finder.
     *
     * @param log the logarithm of its table size, for large frames
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
     * Finds matches like {@link #search}, but only at every second position (even ones if {@code lane} is 0, odd ones
     * if it is 1) and without repeated offsets. This takes half the time, and the table reaches twice as far back.
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
            // The branch lets the processor predict the usual length and continue before the length is computed.
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
     * Adds the match from {@code matchPosition} to {@code end} with the bytes from {@code earlier} on, after extending
     * it backwards; returns its end.
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

    /** Adds matches that directly follow and use the offset before the last; returns their end. */
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
