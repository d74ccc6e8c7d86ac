package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/**
 * Searches the last positions where the next few bytes occurred, and waits for a better match that begins a byte or two
 * later. Not thread-safe.
 */
final class ChainFinder implements MatchFinder {
    private static final int PATIENCE = 8;
    /** A match of this length is accepted at once. */
    private static final int ENOUGH = 256;

    private final PositionTable heads = new PositionTable();
    private final int log;
    private final int drop;
    private final int tries;
    private final int waits;
    /** For each of the last {@code mask + 1} positions, the previous one with the same hash. */
    private int[] chain = {};

    private int mask;
    private int shift;
    private int number;
    private int learnt;
    /** The most recent match. */
    private int match;

    private int length;

    /**
     * Creates a finder.
     *
     * @param log the logarithm of its table size, for large frames
     * @param shortest the minimum length of a match, 4 or 5
     * @param tries the number of candidates
     * @param waits how many bytes later a match may begin
     */
    ChainFinder(int log, int shortest, int tries, int waits) {
        this.log = log;
        this.drop = 64 - 8 * shortest;
        this.tries = tries;
        this.waits = waits;
    }

    @Override
    public void begin(int start, int size) {
        int bits = MatchFinder.tableLog(log, size);
        shift = 64 - bits;
        number = heads.begin(bits, size) - start;
        if (chain.length < 1 << bits) {
            chain = new int[1 << bits];
        }
        mask = (1 << bits) - 1;
        learnt = start;
    }

    @Override
    public void find(byte[] in, int lowest, int from, int to, BlockSequences parts) {
        int end = to - MARGIN;
        int anchor = from;
        int at = from;
        while (at < end) {
            if (!best(in, lowest, at, to, parts, 0)) {
                at += 1 + (at - anchor >> PATIENCE);
                continue;
            }
            int found = match;
            int size = length;
            for (int later = 1; later <= waits && at + later < end && size < ENOUGH; later++) {
                if (best(in, lowest, at + later, to, parts, worth(size, at - found) + 4 * later)) {
                    at += later;
                    found = match;
                    size = length;
                    later = 0;
                }
            }
            while (at > anchor && found > lowest && in[at - 1] == in[found - 1]) {
                at--;
                found--;
                size++;
            }
            parts.add(in, anchor, at - anchor, at - found, size);
            at = FastFinder.repeats(in, lowest, at + size, to, parts);
            anchor = at;
        }
        parts.literals(in, anchor, to - anchor);
    }

    /** Returns the approximate saving of a match, in quarters of a byte. */
    private static int worth(int length, int offset) {
        return 4 * length - (31 - Integer.numberOfLeadingZeros(offset));
    }

    /** Finds the match at {@code at} that saves most, if it saves more than {@code least}. */
    private boolean best(byte[] in, int lowest, int at, int to, BlockSequences parts, int least) {
        index(in, at);
        int most = least;
        boolean found = false;
        long word = Words.int64(in, at);
        int repeated = at - parts.lastOffset();
        if (repeated >= lowest && Words.int32(in, repeated) == (int) word) {
            match = repeated;
            length = 4 + MatchFinder.length(in, repeated + 4, at + 4, to);
            most = Math.max(most, 4 * length);
            found = most == 4 * length && most > least;
        }
        int bottom = at - mask;
        int candidate = chain[at + number & mask] - number;
        for (int left = tries; left > 0 && candidate >= lowest; left--) {
            if ((Words.int64(in, candidate) ^ word) << drop == 0) {
                int size = 4 + MatchFinder.length(in, candidate + 4, at + 4, to);
                int worth = worth(size, at - candidate);
                if (worth > most) {
                    most = worth;
                    match = candidate;
                    length = size;
                    found = true;
                }
            }
            if (candidate < bottom || found && length >= ENOUGH) {
                break; // its chain was overwritten
            }
            candidate = chain[candidate + number & mask] - number;
        }
        return found;
    }

    /** Adds all positions up to {@code at} to the chains. */
    private void index(byte[] in, int at) {
        int[] entries = heads.entries();
        for (; learnt <= at; learnt++) {
            int hash = MatchFinder.hash(Words.int64(in, learnt), drop, shift);
            chain[learnt + number & mask] = entries[hash];
            entries[hash] = learnt + number;
        }
    }
}
