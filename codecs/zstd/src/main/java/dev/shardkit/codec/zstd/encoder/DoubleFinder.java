package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * A finder with up to three candidates for each match: the last position of the next eight bytes, that of the next few
 * bytes, and the last offset. If matches of eight bytes are rare, as in noisy numbers, it mostly skips their search,
 * and if numbers have two bytes, also every second position. Not thread-safe.
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
            ofWords = 0;
            anchor = search(in, minPosition, anchor, position, trialEnd, to, parts);
            position = Math.max(anchor, trialEnd);
            if (position < end && ofWords * SELDOM < parts.count() - earlierCount) {
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
     * Returns 0 or 1 if the matches since the trial mostly begin at even or at odd positions, as in noisy numbers of
     * two bytes, where most matches begin with the upper byte; otherwise -1.
     */
    private static int bestLane(BlockSequences parts, int firstSequence, int start) {
        long[] sequences = parts.sequences();
        int n = parts.count() - firstSequence;
        int position = start;
        int odd = 0;
        int oddOffsets = 0;
        int ofFour = 0;
        int lengths = 0;
        for (int i = firstSequence; i < parts.count(); i++) {
            long sequence = sequences[i];
            position += BlockSequences.literalLength(sequence);
            odd += position & 1;
            int offset = BlockSequences.offsetValue(sequence) - BlockSequences.REPEATED; // repeated ones are rare here
            oddOffsets += offset & 1;
            ofFour += (offset & 3) == 0 ? 1 : 0;
            int length = BlockSequences.matchLength(sequence);
            position += length;
            lengths += length;
        }
        boolean twoBytes = n >= FEWEST && oddOffsets <= n >> 4 && ofFour <= n - (n >> 2);
        if (!twoBytes || lengths > SHORT * n || Math.abs(2 * odd - n) < n >> 1) {
            return -1;
        }
        return 2 * odd > n ? 1 : 0;
    }

    /** Finds matches that begin from {@code start} on and before {@code end}; returns the end of the last one. */
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
                ofWords++;
            } else if (longMatch >= minPosition && starts.equalPrefix(Words.int64(in, longMatch), word)) {
                match = longMatch;
                long next = Words.int64(in, position + 1);
                int nextHash = MatchFinder.hash(next, WORD, shift);
                int longer = entries[nextHash] - number;
                entries[nextHash] = position + 1 + number;
                if (longer >= minPosition && Words.int64(in, longer) == next) {
                    position++;
                    match = longer;
                    ofWords++;
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

    private void index(byte[] in, int offset) {
        words.entries()[MatchFinder.hash(Words.int64(in, offset), WORD, shift)] = offset + number;
        starts.index(in, offset);
    }
}
