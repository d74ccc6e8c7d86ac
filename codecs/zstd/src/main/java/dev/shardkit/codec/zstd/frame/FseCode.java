package dev.shardkit.codec.zstd.frame;

/**
 * The encoding side of an FSE table (RFC 8878, section 4.1.1). States run from {@code size} to {@code 2 * size - 1}. To
 * put symbol {@code s} in front of what state {@code x} stands for, the lowest {@code n = x + bitsOf[s] >> 16} bits of
 * {@code x} are written, and the state is {@code next[(x >> n) + nextOf[s]]} then. Reused; not thread-safe.
 */
final class FseCode {
    private static final int MOST_SYMBOLS = 64;

    private final int[] next = new int[1 << 9];
    private final int[] bitsOf = new int[MOST_SYMBOLS];
    private final int[] nextOf = new int[MOST_SYMBOLS];
    private final int[] firstOf = new int[MOST_SYMBOLS];
    private final int[] filled = new int[MOST_SYMBOLS];
    private int log;

    /** Makes the code of {@code distribution}, whose symbols {@code table} spreads over the states. */
    void build(Distribution distribution, FseTable table) {
        log = distribution.log();
        int size = 1 << log;
        int[] symbolOf = table.spread(distribution, size);
        int before = 0;
        for (int s = 0; s < distribution.symbols(); s++) {
            int count = Math.abs(distribution.count(s));
            if (count > 0) {
                // The most bits that are written; from count << most on, and one less below it.
                int most = log - 31 + Integer.numberOfLeadingZeros(count);
                bitsOf[s] = (most << 16) - (count << most);
                nextOf[s] = before - count;
                firstOf[s] = before;
                filled[s] = before;
                before += count;
            }
        }
        for (int state = 0; state < size; state++) {
            next[filled[symbolOf[state]]++] = size + state;
        }
    }

    /** Makes the code of one state, which always stands for {@code symbol} and takes no bits. */
    void single(int symbol) {
        log = 0;
        next[0] = 1;
        bitsOf[symbol] = 0;
        nextOf[symbol] = -1;
        firstOf[symbol] = 0;
    }

    /** A state that stands for {@code symbol}, for the last one: of its states one that is left by the most bits. */
    int last(int symbol) {
        return next[firstOf[symbol]];
    }

    int log() {
        return log;
    }

    int[] next() {
        return next;
    }

    int[] bitsOf() {
        return bitsOf;
    }

    int[] nextOf() {
        return nextOf;
    }
}
