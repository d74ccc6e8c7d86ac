package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/** Checks the last position of the next few bytes, or the last offset. Not thread-safe. */
final class FastFinder implements MatchFinder {
    private static final int PATIENCE = 7;
    /** The most frequent length of matches in noisy numbers of two bytes. */
    private static final int USUAL = 5;

    private final PositionTable positions = new PositionTable();
    private final int log;
    private final int drop;
    private final int step;
    private int shift;
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
        this.drop = 64 - 8 * shortest;
        this.step = step;
    }

    @Override
    public void begin(int start, int size) {
        begin(start, size, MatchFinder.tableLog(log, size));
    }

    /** Begins a frame, with {@code 1 << bits} entries. */
    void begin(int start, int size, int bits) {
        shift = 64 - bits;
        number = positions.begin(bits, size) - start;
    }

    @Override
    public void find(byte[] in, int lowest, int from, int to, BlockSequences parts) {
        int anchor = search(in, lowest, from, from, to - MARGIN, to, parts);
        parts.literals(in, anchor, to - anchor);
    }

    /** Finds matches that begin from {@code start} on and before {@code end}; returns the end of the last one. */
    int search(byte[] in, int lowest, int from, int start, int end, int to, BlockSequences parts) {
        int[] entries = positions.entries();
        int shift = this.shift;
        int number = this.number;
        int drop = this.drop;
        int anchor = from;
        int at = start;
        while (at < end) {
            long word = Words.int64(in, at);
            int hash = MatchFinder.hash(word, drop, shift);
            int match = entries[hash] - number;
            entries[hash] = at + number;
            int repeated = at + 1 - parts.lastOffset();
            if (repeated >= lowest && Words.int32(in, repeated) == (int) (word >>> 8)) {
                at++;
                match = repeated;
            } else if (match < lowest || (Words.int64(in, match) ^ word) << drop != 0) {
                at += step + (at - anchor >> PATIENCE);
                continue;
            }
            int found = at;
            int length = 4 + MatchFinder.length(in, match + 4, at + 4, to);
            at = take(in, lowest, anchor, at, match, at + length, parts);
            anchor = at;
            if (at < end) {
                index(in, found + 2);
                index(in, at - 2);
                at = repeats(in, lowest, at, to, parts);
                anchor = at;
            }
        }
        return anchor;
    }

    /**
     * Finds matches like {@link #search}, but only at every second position, those of the parity of {@code lane}, and
     * without repeated offsets: that takes half the time, and the table remembers twice as far back.
     */
    int lane(byte[] in, int lowest, int from, int start, int end, int to, BlockSequences parts, int lane) {
        int[] entries = positions.entries();
        int shift = this.shift;
        int number = this.number;
        int drop = this.drop;
        int anchor = from;
        int at = start + ((start ^ lane) & 1);
        while (at < end) {
            long word = Words.int64(in, at);
            int hash = MatchFinder.hash(word, drop, shift);
            int match = entries[hash] - number;
            entries[hash] = at + number;
            long differs;
            if (match < lowest || (differs = Words.int64(in, match) ^ word) << drop != 0) {
                at += 2 + (at - anchor >> PATIENCE << 1);
                continue;
            }
            int found = at;
            int length = differs == 0
                    ? 8 + MatchFinder.length(in, match + 8, at + 8, to)
                    : Long.numberOfTrailingZeros(differs) >>> 3;
            // The usual length is a guess of the processor, which goes on before it knows the length.
            int stop = length == USUAL ? at + USUAL : at + length;
            anchor = take(in, lowest, anchor, at, match, stop, parts);
            at = anchor + ((anchor ^ lane) & 1);
            if (at < end) {
                index(in, found + 2);
                index(in, at - 2);
            }
        }
        return anchor;
    }

    /**
     * Adds the match from {@code found} to {@code end} with the bytes from {@code earlier} on, after extending it
     * backwards; returns its end.
     */
    static int take(byte[] in, int lowest, int anchor, int found, int earlier, int end, BlockSequences parts) {
        int at = found;
        int match = earlier;
        while (at > anchor && match > lowest && in[at - 1] == in[match - 1]) {
            at--;
            match--;
        }
        parts.add(in, anchor, at - anchor, at - match, end - at);
        return end;
    }

    /** Adds the position {@code at} to the table. */
    void index(byte[] in, int at) {
        positions.entries()[MatchFinder.hash(Words.int64(in, at), drop, shift)] = at + number;
    }

    /**
     * Adds {@code word} at {@code at} to the table; returns its previous position, or a position before all valid ones.
     */
    int swap(long word, int at) {
        int[] entries = positions.entries();
        int hash = MatchFinder.hash(word, drop, shift);
        int before = entries[hash] - number;
        entries[hash] = at + number;
        return before;
    }

    /** Returns whether two words begin with a match. */
    boolean same(long a, long b) {
        return (a ^ b) << drop == 0;
    }

    /** Adds matches that directly follow and use the offset before the last; returns their end. */
    static int repeats(byte[] in, int lowest, int start, int to, BlockSequences parts) {
        int at = start;
        while (at < to - MARGIN) {
            int match = at - parts.offsetBefore();
            if (match < lowest || Words.int32(in, match) != Words.int32(in, at)) {
                break;
            }
            int length = 4 + MatchFinder.length(in, match + 4, at + 4, to);
            parts.add(in, at, 0, at - match, length);
            at += length;
        }
        return at;
    }
}
