package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.spi.bytes.Words;

/**
 * A finder of matches for the levels from 5 on. It compares the next bytes with those at several earlier positions that
 * have the same hash; these positions form a chain, from the last one back. It also looks for a better match that
 * begins a byte or two later. Not thread-safe.
 */
final class ChainFinder implements MatchFinder {
    /** The binary logarithm of the number of bytes without a match after which the step grows by one. */
    private static final int PATIENCE = 8;
    /** A match of this length is accepted at once. */
    private static final int ENOUGH = 256;

    /** For each hash, the last position with this hash. */
    private final PositionTable heads = new PositionTable();

    private final int log;
    /** The number of highest bits of a word that hashes and comparisons ignore. */
    private final int droppedBits;

    /** The maximum number of positions of a chain to compare. */
    private final int maxAttempts;
    /** By how many bytes later a better match may begin. */
    private final int lazySteps;
    /** For each of the last {@code mask + 1} positions, the previous one with the same hash. */
    private int[] chain = {};

    private int mask;
    /** The number of bits of a 64-bit product that are not in the hash. */
    private int shift;
    /** The tables store a position plus this number, so that entries of earlier frames are out of range. */
    private int number;
    /** The first position that is not in the chains. */
    private int unindexed;
    /** The earlier position of the match that {@link #best} found last. */
    private int match;
    /** The length of the match that {@link #best} found last. */
    private int length;

    /**
     * Creates a finder.
     *
     * @param log the binary logarithm of its table size, for large frames
     * @param shortest the minimum length of a match, 4 or 5
     * @param maxAttempts the number of candidates
     * @param lazySteps how many bytes later a better match may begin
     */
    ChainFinder(int log, int shortest, int maxAttempts, int lazySteps) {
        this.log = log;
        this.droppedBits = 64 - 8 * shortest;
        this.maxAttempts = maxAttempts;
        this.lazySteps = lazySteps;
    }

    @Override
    public void begin(int start, int size) {
        int bits = MatchFinder.tableLog(log, size);
        shift = 64 - bits;
        number = heads.open(bits, size) - start;
        if (chain.length < 1 << bits) {
            chain = new int[1 << bits];
        }
        mask = (1 << bits) - 1;
        unindexed = start;
    }

    @Override
    public void find(byte[] in, int minPosition, int from, int to, BlockSequences parts) {
        int end = to - MARGIN;
        int anchor = from;
        int position = from;
        while (position < end) {
            if (!best(in, minPosition, position, to, parts, 0)) {
                position += 1 + (position - anchor >> PATIENCE);
                continue;
            }
            int matchPosition = match;
            int size = length;
            for (int later = 1; later <= lazySteps && position + later < end && size < ENOUGH; later++) {
                if (best(
                        in,
                        minPosition,
                        position + later,
                        to,
                        parts,
                        worth(size, position - matchPosition) + 4 * later)) {
                    position += later;
                    matchPosition = match;
                    size = length;
                    later = 0;
                }
            }
            while (position > anchor && matchPosition > minPosition && in[position - 1] == in[matchPosition - 1]) {
                position--;
                matchPosition--;
                size++;
            }
            parts.add(in, anchor, position - anchor, position - matchPosition, size);
            position = FastFinder.repeats(in, minPosition, position + size, to, parts);
            anchor = position;
        }
        parts.literals(in, anchor, to - anchor);
    }

    /** Returns the approximate saving of a match, in quarters of a byte: its length minus the bits of its offset. */
    private static int worth(int length, int offset) {
        return 4 * length - (31 - Integer.numberOfLeadingZeros(offset));
    }

    /**
     * Finds the match at {@code offset} that saves most. If there is one, sets {@link #match} and {@link #length}.
     *
     * @param minimum the saving that the match must exceed ({@link #worth})
     * @return false if no match saves more than {@code minimum}
     */
    private boolean best(byte[] in, int minPosition, int offset, int to, BlockSequences parts, int minimum) {
        index(in, offset);
        int maximum = minimum;
        boolean found = false;
        long word = Words.int64(in, offset);
        int repeated = offset - parts.lastOffset();
        if (repeated >= minPosition && Words.int32(in, repeated) == (int) word) {
            match = repeated;
            length = 4 + MatchFinder.length(in, repeated + 4, offset + 4, to);
            maximum = Math.max(maximum, 4 * length);
            found = maximum == 4 * length && maximum > minimum;
        }
        int bottom = offset - mask;
        int candidate = chain[offset + number & mask] - number;
        for (int remaining = maxAttempts; remaining > 0 && candidate >= minPosition; remaining--) {
            if ((Words.int64(in, candidate) ^ word) << droppedBits == 0) {
                int size = 4 + MatchFinder.length(in, candidate + 4, offset + 4, to);
                int worth = worth(size, offset - candidate);
                if (worth > maximum) {
                    maximum = worth;
                    match = candidate;
                    length = size;
                    found = true;
                }
            }
            if (candidate < bottom || found && length >= ENOUGH) {
                break; // the chain of such an old candidate was overwritten, or the match is long enough
            }
            candidate = chain[candidate + number & mask] - number;
        }
        return found;
    }

    /** Adds all positions up to {@code offset} to the chains. */
    private void index(byte[] in, int offset) {
        int[] entries = heads.entries();
        for (; unindexed <= offset; unindexed++) {
            int hash = MatchFinder.hash(Words.int64(in, unindexed), droppedBits, shift);
            chain[unindexed + number & mask] = entries[hash];
            entries[hash] = unindexed + number;
        }
    }
}
