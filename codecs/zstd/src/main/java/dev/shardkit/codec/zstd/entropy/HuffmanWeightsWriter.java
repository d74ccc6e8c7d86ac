package dev.shardkit.codec.zstd.entropy;

/**
 * Writes the weights of a Huffman code (RFC 8878, section 4.2.1), in the form that {@link HuffmanWeights} reads: four
 * bits each, or compressed by FSE if that is shorter. Reused; not thread-safe.
 */
final class HuffmanWeightsWriter {
    /** The header of weights of four bits is at least this; lower headers are a size of compressed weights. */
    private static final int DIRECT = 128;
    /** The accuracy log of many weights, the highest that the format allows. */
    private static final int LOG = 6;
    /** The accuracy log of few weights, the lowest that the format allows. */
    private static final int LOWEST_LOG = 5;

    private final SymbolCounts histogram = new SymbolCounts();
    private final SymbolDistribution distribution = new SymbolDistribution();
    private final FseTable table = new FseTable();
    private final FseCode code = new FseCode();

    /** Writes {@code n} weights to {@code offset}; returns their end, or -1 if it is impossible. */
    int write(byte[] weights, int n, byte[] out, int offset) {
        int direct = offset + 1 + (n + 1 >> 1);
        histogram.ofBytes(weights, 0, n);
        if (histogram.usedSymbols() > 1 && histogram.maximum() > 1) {
            int end = compressed(weights, n, out, offset + 1);
            int size = end - offset - 1;
            if (size < DIRECT && (end < direct || n > DIRECT)) {
                out[offset] = (byte) size;
                return end;
            }
        }
        if (n > DIRECT) {
            return -1;
        }
        out[offset] = (byte) (DIRECT - 1 + n);
        for (int i = 0; i < n; i += 2) {
            out[offset + 1 + i / 2] = (byte) (weights[i] << 4 | (i + 1 < n ? weights[i + 1] : 0));
        }
        return direct;
    }

    /** Compresses with two alternating states, from the last weight to the first. */
    private int compressed(byte[] weights, int n, byte[] out, int offset) {
        distribution.fit(histogram, n > 64 ? LOG : LOWEST_LOG);
        code.build(distribution, table);
        BitWriter bits = new BitWriter(out, distribution.write(out, offset));
        FseEncoderState[] states = new FseEncoderState[2];
        states[n - 1 & 1] = new FseEncoderState(code, weights[n - 1]);
        states[n - 2 & 1] = new FseEncoderState(code, weights[n - 2]);
        for (int i = n - 3; i >= 0; i--) {
            states[i & 1].add(weights[i], bits);
            bits.flush();
        }
        states[1].finish(bits);
        states[0].finish(bits);
        return bits.marked();
    }
}
