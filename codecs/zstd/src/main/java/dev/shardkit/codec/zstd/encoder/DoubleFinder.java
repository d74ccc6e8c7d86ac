package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * A finder of matches for the levels 3 and 4. At each position it has up to three candidates: the last position with
 * the same next eight bytes (a word), the last position with the same next few bytes, and the last offset. If matches
 * of words are rare, as in noisy numbers, it searches for them only now and then: after a trial it pauses. If these
 * numbers have two bytes, it also skips every second position. Not thread-safe.
 */
final class DoubleFinder implements MatchFinder {
    /** The binary logarithm of the number of bytes without a match after which the step grows by one. */
    private static final int PATIENCE = 8;
    /** The number of bits that the hash of a word ignores. */
    private static final int WORD = 0;
    /** The number of bytes in which to search for matches of words, before deciding whether the search is worth it. */
    private static final int TRIAL = 2 << 10;
    /** The number of bytes in which not to search for words after such a decision, before the next trial. */
    private static final int PAUSE = 12 << 10;
    /** The number of bytes in which to search at every second position only, before the next trial. */
    private static final int LANE = 28 << 10;
    /** Frames up to this size have smaller tables, which stay in the cache beside the data. */
    private static final int SMALL = 64 << 10;

    /** The maximum binary logarithm of the table sizes for small frames. */
    private static final int SMALL_LOG = 15;
    /** The search for words is worth it if at least one in this many matches is a match of words. */
    private static final int SELDOM = 16;
    /** The minimum number of matches in a trial that show whether matches begin at even or odd positions. */
    private static final int FEWEST = 16;
    /** The maximum average length of matches in noisy numbers, in bytes. */
    private static final int SHORT = 8;

    /** The last positions of words. */
    private final PositionTable words = new PositionTable();
    /** The last positions of the next few bytes. */
    private final FastFinder starts;

    private final int log;
    /** The number of bits of a 64-bit product that are not in the hash. */
    private int shift;
    /** The tables store a position plus this number, so that entries of earlier frames are out of range. */
    private int number;
    /** The number of matches of words in this trial. */
    private int wordMatches;

    /**
     * Creates a finder.
     *
     * @param log the binary logarithm of its table sizes, for large frames
     * @param shortest the minimum length of a match, 4 to 7
     */
    DoubleFinder(int log, int shortest) {
        this.log = log;
        this.starts = new FastFinder(log, shortest, 1);
    }

    @Override
    public void begin(int start, int size) {
        int tableLog = MatchFinder.tableLog(log, size);
        int bits = size <= SMALL ? Math.min(tableLog, SMALL_LOG) : tableLog;
        starts.begin(start, size, bits);
        bits--; // there are fewer words than starting positions
        shift = 64 - bits;
        number = words.open(bits, size) - start;
    }

    @Override
    public void find(byte[] in, int minPosition, int from, int to, BlockSequences parts) {
        int anchor = from;
        int position = from;
        int end = to - MARGIN;
        while (position < end) {
            int earlierCount = parts.count();
            int trial = anchor;
            int trialEnd = Math.min(end, position + TRIAL);
            wordMatches = 0;
            anchor = search(in, minPosition, anchor, position, trialEnd, to, parts);
            position = Math.max(anchor, trialEnd);
            if (position < end && wordMatches * SELDOM < parts.count() - earlierCount) {
                int lane = bestLane(parts, earlierCount, trial);
                trialEnd = Math.min(end, position + (lane < 0 ? PAUSE : LANE));
                anchor = lane < 0
                        ? starts.search(in, minPosition, anchor, position, trialEnd, to, parts)
                        : starts.lane(in, minPosition, anchor, position, trialEnd, to, parts, lane);
                position = Math.max(anchor, trialEnd);
            }
        }
        parts.literals(in, anchor, to - anchor);
    }

    /**
     * Returns 0 if the matches of the trial mostly begin at even positions, 1 if at odd positions, otherwise -1. In
     * noisy numbers of two bytes, most matches begin with the upper byte.
     */
    private static int bestLane(BlockSequences parts, int firstSequence, int start) {
        long[] sequences = parts.sequences();
        int n = parts.count() - firstSequence;
        int position = start;
        int odd = 0;
        int oddOffsets = 0;
        int multiplesOfFour = 0;
        int lengths = 0;
        for (int i = firstSequence; i < parts.count(); i++) {
            long sequence = sequences[i];
            position += BlockSequences.literalLength(sequence);
            odd += position & 1;
            int offset = BlockSequences.offsetValue(sequence) - BlockSequences.REPEATED; // repeated ones are rare here
            oddOffsets += offset & 1;
            multiplesOfFour += (offset & 3) == 0 ? 1 : 0;
            int length = BlockSequences.matchLength(sequence);
            position += length;
            lengths += length;
        }
        // In numbers of two bytes, hardly any offset is odd (at most one in 16), and at most three in four are
        // multiples of four, as they would be in numbers of four bytes.
        boolean twoBytes = n >= FEWEST && oddOffsets <= n >> 4 && multiplesOfFour <= n - (n >> 2);
        if (!twoBytes || lengths > SHORT * n || Math.abs(2 * odd - n) < n >> 1) {
            return -1;
        }
        return 2 * odd > n ? 1 : 0;
    }

    /**
     * Finds matches that begin from {@code start} on and before {@code end}; returns the end of the last one.
     *
     * @param from the first byte that is not in {@code parts} yet
     * @param to the end of the block, up to which matches may extend
     */
    private int search(byte[] in, int minPosition, int from, int start, int end, int to, BlockSequences parts) {
        int[] entries = words.entries();
        int shift = this.shift;
        int number = this.number;
        int anchor = from;
        int position = start;
        while (position < end) {
            long word = Words.int64(in, position);
            int hash = MatchFinder.hash(word, WORD, shift);
            int match = entries[hash] - number;
            int longMatch = starts.swap(word, position);
            entries[hash] = position + number;
            int repeated = position + 1 - parts.lastOffset();
            if (repeated >= minPosition && Words.int32(in, repeated) == (int) (word >>> 8)) {
                position++;
                match = repeated;
            } else if (match >= minPosition && Words.int64(in, match) == word) {
                wordMatches++;
            } else if (longMatch >= minPosition && starts.equalPrefix(Words.int64(in, longMatch), word)) {
                match = longMatch;
                long next = Words.int64(in, position + 1);
                int nextHash = MatchFinder.hash(next, WORD, shift);
                int longer = entries[nextHash] - number;
                entries[nextHash] = position + 1 + number;
                if (longer >= minPosition && Words.int64(in, longer) == next) {
                    position++;
                    match = longer;
                    wordMatches++;
                }
            } else {
                position += 1 + (position - anchor >> PATIENCE);
                continue;
            }
            int matchPosition = position;
            int length = 4 + MatchFinder.length(in, match + 4, position + 4, to);
            position = FastFinder.addMatch(in, minPosition, anchor, position, match, position + length, parts);
            anchor = position;
            if (position < end) {
                index(in, matchPosition + 2);
                index(in, position - 2);
                position = FastFinder.repeats(in, minPosition, position, to, parts);
                anchor = position;
            }
        }
        return anchor;
    }

    /** Adds the position {@code offset} to both tables. */
    private void index(byte[] in, int offset) {
        words.entries()[MatchFinder.hash(Words.int64(in, offset), WORD, shift)] = offset + number;
        starts.index(in, offset);
    }
}
