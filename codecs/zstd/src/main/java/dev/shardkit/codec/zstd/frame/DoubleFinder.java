package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/**
 * Checks the last position of the next eight bytes, then that of the next few bytes, then the last offset. If matches
 * of eight bytes are rare, as in noisy numbers, it mostly skips their search, and if numbers have two bytes, also every
 * second position. Not thread-safe.
 */
final class DoubleFinder implements MatchFinder {
    private static final int PATIENCE = 8;
    private static final int WORD = 0;
    /** How far to search for eight-byte matches before deciding whether that pays, and how far to skip them if not. */
    private static final int TRIAL = 2 << 10;

    private static final int PAUSE = 12 << 10;
    /** How far to search at every second position only, before the next trial. */
    private static final int LANE = 28 << 10;
    /** Frames up to this size have smaller tables, which stay in the cache beside the data. */
    private static final int SMALL = 64 << 10;

    private static final int SMALL_LOG = 15;
    /** The search pays if at least one of this many matches has eight bytes. */
    private static final int SELDOM = 16;
    /** Fewer matches in a trial do not show where they begin. */
    private static final int FEWEST = 16;
    /** The matches of noisy numbers are shorter, in bytes on average. */
    private static final int SHORT = 8;

    private final PositionTable words = new PositionTable();
    private final FastFinder starts;
    private final int log;
    private int shift;
    private int number;
    /** The number of eight-byte matches in this trial. */
    private int ofWords;

    /**
     * Creates a finder.
     *
     * @param log the logarithm of its table sizes, for large frames
     * @param shortest the minimum length of a match, 4 to 7
     */
    DoubleFinder(int log, int shortest) {
        this.log = log;
        this.starts = new FastFinder(log, shortest, 1);
    }

    @Override
    public void begin(int start, int size) {
        int all = MatchFinder.tableLog(log, size);
        int bits = size <= SMALL ? Math.min(all, SMALL_LOG) : all;
        starts.begin(start, size, bits);
        bits--; // there are fewer words than starting positions
        shift = 64 - bits;
        number = words.begin(bits, size) - start;
    }

    @Override
    public void find(byte[] in, int lowest, int from, int to, BlockSequences parts) {
        int anchor = from;
        int at = from;
        int end = to - MARGIN;
        while (at < end) {
            int before = parts.count();
            int trial = anchor;
            int stop = Math.min(end, at + TRIAL);
            ofWords = 0;
            anchor = search(in, lowest, anchor, at, stop, to, parts);
            at = Math.max(anchor, stop);
            if (at < end && ofWords * SELDOM < parts.count() - before) {
                int lane = lane(parts, before, trial);
                stop = Math.min(end, at + (lane < 0 ? PAUSE : LANE));
                anchor = lane < 0
                        ? starts.search(in, lowest, anchor, at, stop, to, parts)
                        : starts.lane(in, lowest, anchor, at, stop, to, parts, lane);
                at = Math.max(anchor, stop);
            }
        }
        parts.literals(in, anchor, to - anchor);
    }

    /**
     * Returns 0 or 1 if the matches since the trial mostly begin at even or at odd positions, as in noisy numbers of
     * two bytes, where most matches begin with the upper byte; otherwise -1.
     */
    private static int lane(BlockSequences parts, int first, int start) {
        long[] sequences = parts.sequences();
        int n = parts.count() - first;
        int at = start;
        int odd = 0;
        int oddOffsets = 0;
        int ofFour = 0;
        int lengths = 0;
        for (int i = first; i < parts.count(); i++) {
            long sequence = sequences[i];
            at += BlockSequences.literalLength(sequence);
            odd += at & 1;
            int offset = BlockSequences.offsetValue(sequence) - BlockSequences.REPEATED; // repeated ones are rare here
            oddOffsets += offset & 1;
            ofFour += (offset & 3) == 0 ? 1 : 0;
            int length = BlockSequences.matchLength(sequence);
            at += length;
            lengths += length;
        }
        boolean twoBytes = n >= FEWEST && oddOffsets <= n >> 4 && ofFour <= n - (n >> 2);
        if (!twoBytes || lengths > SHORT * n || Math.abs(2 * odd - n) < n >> 1) {
            return -1;
        }
        return 2 * odd > n ? 1 : 0;
    }

    /** Finds matches that begin from {@code start} on and before {@code end}; returns the end of the last one. */
    private int search(byte[] in, int lowest, int from, int start, int end, int to, BlockSequences parts) {
        int[] entries = words.entries();
        int shift = this.shift;
        int number = this.number;
        int anchor = from;
        int at = start;
        while (at < end) {
            long word = Words.int64(in, at);
            int hash = MatchFinder.hash(word, WORD, shift);
            int match = entries[hash] - number;
            int near = starts.swap(word, at);
            entries[hash] = at + number;
            int repeated = at + 1 - parts.lastOffset();
            if (repeated >= lowest && Words.int32(in, repeated) == (int) (word >>> 8)) {
                at++;
                match = repeated;
            } else if (match >= lowest && Words.int64(in, match) == word) {
                ofWords++;
            } else if (near >= lowest && starts.same(Words.int64(in, near), word)) {
                match = near;
                long next = Words.int64(in, at + 1);
                int nextHash = MatchFinder.hash(next, WORD, shift);
                int longer = entries[nextHash] - number;
                entries[nextHash] = at + 1 + number;
                if (longer >= lowest && Words.int64(in, longer) == next) {
                    at++;
                    match = longer;
                    ofWords++;
                }
            } else {
                at += 1 + (at - anchor >> PATIENCE);
                continue;
            }
            int found = at;
            int length = 4 + MatchFinder.length(in, match + 4, at + 4, to);
            at = FastFinder.take(in, lowest, anchor, at, match, at + length, parts);
            anchor = at;
            if (at < end) {
                index(in, found + 2);
                index(in, at - 2);
                at = FastFinder.repeats(in, lowest, at, to, parts);
                anchor = at;
            }
        }
        return anchor;
    }

    private void index(byte[] in, int at) {
        words.entries()[MatchFinder.hash(Words.int64(in, at), WORD, shift)] = at + number;
        starts.index(in, at);
    }
}
