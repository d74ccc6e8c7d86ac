package dev.shardkit.codec.zstd.frame;

/** A state of an {@link FseCode} on its way from the last symbol to the first. Used once; made to live in registers. */
final class FseState {
    private final int[] next;
    private final int[] bitsOf;
    private final int[] nextOf;
    private final int log;
    private int state;

    /** A state that stands for {@code last}. */
    FseState(FseCode code, int last) {
        next = code.next();
        bitsOf = code.bitsOf();
        nextOf = code.nextOf();
        log = code.log();
        state = code.last(last);
    }

    /** Puts {@code symbol} in front: at most {@code log} bits, not stored yet. */
    void add(int symbol, BitWriter bits) {
        int n = state + bitsOf[symbol] >> 16;
        bits.add(state, n);
        state = next[(state >> n) + nextOf[symbol]];
    }

    /** Says which state it is, in front of all symbols. */
    void finish(BitWriter bits) {
        bits.put(state, log);
    }
}
