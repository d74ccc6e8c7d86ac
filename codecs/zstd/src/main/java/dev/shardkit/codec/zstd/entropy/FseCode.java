package dev.shardkit.codec.zstd.entropy;

/**
 * The encoding side of an FSE table (finite state entropy; RFC 8878, section 4.1.1). States run from {@code size} to
 * {@code 2 * size - 1}. The encoder adds symbols from the last to the first. To add symbol {@code s} in state
 * {@code x}, it writes the lowest {@code n} bits of {@code x}, where {@code n = (x + bitsOf[s]) >> 16}. The new state
 * is {@code next[(x >> n) + nextOf[s]]}. Reused; not thread-safe.
 */
public final class FseCode {
    private static final int MAX_SYMBOLS = 64;

    /** The states, ordered by their symbols. */
    private final int[] next = new int[1 << 9];

    private final int[] bitsOf = new int[MAX_SYMBOLS];
    private final int[] nextOf = new int[MAX_SYMBOLS];
    /** The index in {@link #next} of the first state of each symbol. */
    private final int[] firstOf = new int[MAX_SYMBOLS];
    /** While the code is built: the index in {@link #next} for the next state of each symbol. */
    private final int[] filled = new int[MAX_SYMBOLS];
    /** The binary logarithm of the number of states. */
    private int log;

    /** Builds the code of {@code distribution}, whose symbols {@code table} spreads over the states. */
    public void build(SymbolDistribution distribution, FseTable table) {
        log = distribution.log();
        int size = 1 << log;
        int[] symbolOf = table.spread(distribution, size);
        int cumulative = 0;
        for (int s = 0; s < distribution.symbols(); s++) {
            int count = Math.abs(distribution.count(s));
            if (count > 0) {
                // States from count << maximum on write this number of bits, lower states one bit less.
                int maximum = log - 31 + Integer.numberOfLeadingZeros(count);
                bitsOf[s] = (maximum << 16) - (count << maximum);
                nextOf[s] = cumulative - count;
                firstOf[s] = cumulative;
                filled[s] = cumulative;
                cumulative += count;
            }
        }
        for (int state = 0; state < size; state++) {
            next[filled[symbolOf[state]]++] = size + state;
        }
    }

    /** Builds the code with a single state, which always means {@code symbol} and takes no bits. */
    public void single(int symbol) {
        log = 0;
        next[0] = 1;
        bitsOf[symbol] = 0;
        nextOf[symbol] = -1;
        firstOf[symbol] = 0;
    }

    /** Returns the state with which encoding starts if {@code symbol} is the last one. Any of its states would do. */
    public int lastState(int symbol) {
        return next[firstOf[symbol]];
    }

    public int log() {
        return log;
    }

    public int[] next() {
        return next;
    }

    public int[] bitsOf() {
        return bitsOf;
    }

    public int[] nextOf() {
        return nextOf;
    }
}
