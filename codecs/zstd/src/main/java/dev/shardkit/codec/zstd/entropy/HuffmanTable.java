package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import java.util.Arrays;

/**
 * The table that decodes literals (RFC 8878, section 4.2.1.3). The next 11 bits of a stream index an entry: the symbol
 * whose code these bits begin with, in the higher byte, and the length of this code, in the lower byte. Kept from block
 * to block of a frame; not thread-safe.
 */
public final class HuffmanTable {
    /** The number of bits that index the table, and the maximum length of a symbol. */
    static final int LOG = 11;

    /** Longer runs of equal entries are filled by the JDK, shorter ones by a loop. */
    private static final int LONG_RUN = 16;

    private final HuffmanWeights weights = new HuffmanWeights();
    private final short[] entries = new short[1 << LOG];
    /** For each weight, first the number of its symbols, then the index in {@link #sorted} of its next symbol. */
    private final int[] first = new int[LOG + 2];
    /** The symbols ordered by weight. */
    private final byte[] sorted = new byte[256];

    private boolean isPresent;

    /** Begins a frame with the table of its dictionary, or without a table. */
    public void reset(HuffmanTable initial) {
        isPresent = initial.isPresent;
        if (isPresent) {
            System.arraycopy(initial.entries, 0, entries, 0, entries.length);
        }
    }

    /** Returns whether there is a table. */
    public boolean isThere() {
        return isPresent;
    }

    /** Returns the table, with an entry for each value of {@link #LOG} bits. */
    public short[] entries() {
        return entries;
    }

    /** Reads the tree from {@code from}, which ends before {@code to}; returns its end. */
    public int read(byte[] in, int from, int to) {
        isPresent = false;
        int end = weights.read(in, from, to);
        fill(bits(from));
        isPresent = true;
        return end;
    }

    /** Counts the symbols of each weight and computes the last weight; returns the maximum number of bits. */
    private int bits(int from) {
        byte[] w = weights.weights();
        int n = weights.count();
        Arrays.fill(first, 0);
        // a symbol of weight w takes 2^(w-1) units of the code space, of weight 0 none
        int total = 0;
        for (int i = 0; i < n; i++) {
            if (w[i] < 0 || w[i] > LOG) {
                throw new MalformedFrame(from, "expected Huffman weights of at most " + LOG + ", found " + w[i]);
            }
            first[w[i]]++;
            total += 1 << w[i] >> 1;
        }
        // the last symbol takes the rest of the code space
        int bits = 32 - Integer.numberOfLeadingZeros(total);
        int remaining = (1 << bits) - total;
        if (total == 0 || bits > LOG || Integer.bitCount(remaining) != 1) {
            throw new MalformedFrame(
                    from, "expected Huffman weights that leave a power of 2 below 2^" + LOG + ", found " + total);
        }
        w[n] = (byte) (32 - Integer.numberOfLeadingZeros(remaining));
        first[w[n]]++;
        if (first[1] < 2) {
            throw new MalformedFrame(from, "expected two Huffman symbols of weight 1 or more, found " + first[1]);
        }
        return bits;
    }

    /** Fills the table by weight, so that consecutive runs of entries have the same length. */
    private void fill(int bits) {
        int start = 0;
        for (int weight = 0; weight <= bits; weight++) {
            int count = first[weight];
            first[weight] = start;
            start += count;
        }
        byte[] w = weights.weights();
        int symbols = weights.count() + 1;
        for (int symbol = 0; symbol < symbols; symbol++) {
            sorted[first[w[symbol]]++] = (byte) symbol;
        }
        int position = 0;
        for (int weight = 1; weight <= bits; weight++) {
            position =
                    fill(position, first[weight - 1], first[weight], 1 << weight - 1 + LOG - bits, bits + 1 - weight);
        }
    }

    /**
     * Assigns each of the sorted symbols {@code from} to {@code to} a run of entries; returns the end of the last run.
     */
    private int fill(int start, int from, int to, int run, int length) {
        short[] table = entries;
        int position = start;
        for (int i = from; i < to; i++) {
            short entry = (short) (sorted[i] << 8 | length);
            if (run > LONG_RUN) {
                Arrays.fill(table, position, position + run, entry);
            } else if (run > 2) {
                for (int k = position; k < position + run; k += 4) { // a power of 2
                    table[k] = entry;
                    table[k + 1] = entry;
                    table[k + 2] = entry;
                    table[k + 3] = entry;
                }
            } else {
                table[position] = entry;
                table[position + run - 1] = entry;
            }
            position += run;
        }
        return position;
    }
}
