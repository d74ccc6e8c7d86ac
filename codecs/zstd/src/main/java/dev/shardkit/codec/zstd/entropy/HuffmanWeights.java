package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import java.util.Arrays;

/**
 * Reads the weights of a Huffman tree (RFC 8878, section 4.2.1): four bits each, or compressed by FSE with two
 * alternating states. A weight stands for a code length: the larger the weight, the shorter the code. Reused; not
 * thread-safe.
 */
final class HuffmanWeights {
    /** The maximum number of weights in a description. */
    private static final int MAX = 255;
    /** From this header on, weights have four bits each; lower headers are the size of compressed weights. */
    private static final int DIRECT = 128;

    private final byte[] weights = new byte[MAX + 1];
    private final SymbolDistribution distribution = new SymbolDistribution();
    private final FseTable builder = new FseTable();
    private final long[] table = new long[1 << SymbolBaselines.WEIGHTS.highestLog()];
    private int count;

    /** Returns the number of weights, without the last symbol's, which follows from the others. */
    int count() {
        return count;
    }

    /** Returns the weights: {@link #count} of them, with room for one more. */
    byte[] weights() {
        return weights;
    }

    /** Reads the description from {@code from}, which ends before {@code to}; returns its end. */
    int read(byte[] in, int from, int to) {
        int header = from < to ? in[from] & 0xff : 0;
        int size = header < DIRECT ? header : header - DIRECT + 2 >> 1;
        if (size == 0 || size > to - from - 1) {
            throw new MalformedFrame(
                    from,
                    "expected a Huffman tree of " + size + " bytes inside the literals, found "
                            + Math.max(0, to - from - 1));
        }
        Arrays.fill(weights, (byte) 0);
        int end = from + 1 + size;
        if (header < DIRECT) {
            readCompressed(in, from + 1, end);
        } else {
            readDirect(in, from + 1, header - DIRECT + 1);
        }
        return end;
    }

    private void readDirect(byte[] in, int from, int n) {
        for (int i = 0; i < n; i++) {
            weights[i] = (byte) ((i & 1) == 0 ? in[from + i / 2] >> 4 & 15 : in[from + i / 2] & 15);
        }
        count = n;
    }

    /** Reads weights from two alternating states. At the end of the bits, each state still holds a weight. */
    private void readCompressed(byte[] in, int from, int to) {
        int start =
                distribution.read(in, from, to, SymbolBaselines.WEIGHTS.highestLog(), SymbolBaselines.WEIGHTS.size());
        builder.build(distribution, SymbolBaselines.WEIGHTS, table, 0);
        int log = distribution.log();
        int bits = BackwardBits.count(in, start, to) - 2 * log;
        if (bits < 0) {
            throw new MalformedFrame(
                    start, "expected two states of " + log + " bits of Huffman weights, found the end");
        }
        int[] state = {BackwardBits.read(in, start, bits + log, log), BackwardBits.read(in, start, bits, log)};
        count = 0;
        for (int stateIndex = 0; ; stateIndex ^= 1) {
            long entry = table[state[stateIndex]];
            append(FseTable.base(entry), start);
            int n = FseTable.stateBits(entry);
            bits -= n;
            if (bits < 0) {
                append(FseTable.base(table[state[stateIndex ^ 1]]), start);
                return;
            }
            state[stateIndex] = FseTable.nextState(entry) + BackwardBits.read(in, start, bits, n);
        }
    }

    private void append(int weight, int start) {
        if (count == MAX) {
            throw new MalformedFrame(start, "expected at most " + MAX + " Huffman weights, found more");
        }
        weights[count++] = (byte) weight;
    }
}
