package dev.shardkit.codec.zstd.entropy;

/**
 * The encoding side of an FSE table (RFC 8878, section 4.1.1). States run from {@code size} to {@code 2 * size - 1}. To
 * prepend symbol {@code s} to the symbols of state {@code x}, the encoder writes the lowest {@code n = x + bitsOf[s] >>
 * 16} bits of {@code x}; the new state is {@code next[(x >> n) + nextOf[s]]}. Reused; not thread-safe.
 */
public final class FseCode {
    private static final int MAX_SYMBOLS = 64;

    private final int[] next = new int[1 << 9];
    private final int[] bitsOf = new int[MAX_SYMBOLS];
    private final int[] nextOf = new int[MAX_SYMBOLS];
    private final int[] firstOf = new int[MAX_SYMBOLS];
    private final int[] filled = new int[MAX_SYMBOLS];
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
                // The maximum number of written bits; from count << most on, and one less below it.
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

    /**
     * Returns the initial state for {@code symbol}, the last one: the one of its states that takes most bits to leave.
     */
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
