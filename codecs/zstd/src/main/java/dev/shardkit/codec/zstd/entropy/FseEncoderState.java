package dev.shardkit.codec.zstd.entropy;

/**
 * The state of the encoder of one FSE stream (RFC 8878, section 4.1); {@link FseCode} explains the arrays. Symbols are
 * added from the last to the first. Used once; so simple that the JIT compiler can keep its fields in registers.
 */
public final class FseEncoderState {
    private final int[] next;
    private final int[] bitsOf;
    private final int[] nextOf;
    private final int log;
    private int state;

    /** Starts with the symbol {@code last}. */
    FseEncoderState(FseCode code, int last) {
        next = code.next();
        bitsOf = code.bitsOf();
        nextOf = code.nextOf();
        log = code.log();
        state = code.lastState(last);
    }

    /** Prepends {@code symbol}: adds at most {@code log} bits without storing them. */
    void add(int symbol, BitWriter bits) {
        int n = state + bitsOf[symbol] >> 16;
        bits.add(state, n);
        state = next[(state >> n) + nextOf[symbol]];
    }

    /** Writes the final state, which precedes all symbols. */
    void finish(BitWriter bits) {
        bits.put(state, log);
    }
}
