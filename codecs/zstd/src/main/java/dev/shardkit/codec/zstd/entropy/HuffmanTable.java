package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import java.util.Arrays;

/**
 * The table that decodes the literals of a zstd block (RFC 8878, section 4.2.1.3). The next 11 bits of a stream index
 * an entry. These bits begin with the code of a symbol: the entry has the symbol in its higher byte, and the length of
 * the code in its lower byte. Kept from block to block of a frame; not thread-safe.
 */
public final class HuffmanTable {
    /** The number of bits that index the table, and the maximum length of a code. */
    static final int LOG = 11;

    /** Longer runs of equal entries are filled by the JDK, shorter ones by a loop. */
    private static final int LONG_RUN = 16;

    private final HuffmanWeights weights = new HuffmanWeights();
    private final short[] entries = new short[1 << LOG];
    /**
     * One value for each weight, whose meaning changes while a table is built. First it is the number of the weight's
     * symbols, then the index in {@link #sorted} at which they begin. While they are added there, it advances, and in
     * the end it is the index after the weight's last symbol.
     */
    private final int[] byWeight = new int[LOG + 2];
    /** The symbols ordered by weight. */
    private final byte[] sorted = new byte[256];

    private boolean isPresent;

    /** Begins a frame with the table of its dictionary, or without a table if {@code initial} has none. */
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

    /** Reads the weights of a Huffman tree and builds the table. The tree starts at {@code from}; returns its end. */
    public int read(byte[] in, int from, int to) {
        isPresent = false;
        int end = weights.read(in, from, to);
        fill(countWeights(from));
        isPresent = true;
        return end;
    }

    /**
     * Counts the symbols of each weight and computes the weight of the last symbol, which is not stored. Returns the
     * maximum length of a code in bits.
     */
    private int countWeights(int from) {
        byte[] weightOf = weights.weights();
        int storedCount = weights.count();
        Arrays.fill(byWeight, 0);
        // A symbol of weight w takes 2^(w-1) units of the code space; a symbol of weight 0 has no code.
        int total = 0;
        for (int symbol = 0; symbol < storedCount; symbol++) {
            int weight = weightOf[symbol];
            if (weight < 0 || weight > LOG) {
                throw new MalformedFrame(from, "expected Huffman weights of at most " + LOG + ", found " + weight);
            }
            byWeight[weight]++;
            total += 1 << weight >> 1;
        }
        // The size of the code space is the next power of 2 above the total. The last symbol takes the rest of it.
        int bits = 32 - Integer.numberOfLeadingZeros(total);
        int remaining = (1 << bits) - total;
        if (total == 0 || bits > LOG || Integer.bitCount(remaining) != 1) {
            throw new MalformedFrame(
                    from, "expected Huffman weights that leave a power of 2 below 2^" + LOG + ", found " + total);
        }
        weightOf[storedCount] = (byte) (32 - Integer.numberOfLeadingZeros(remaining));
        byWeight[weightOf[storedCount]]++;
        if (byWeight[1] < 2) {
            throw new MalformedFrame(from, "expected at least two Huffman symbols of weight 1, found " + byWeight[1]);
        }
        return bits;
    }

    /**
     * Fills the table by weight, so that consecutive runs of entries have the same length.
     *
     * @param bits the maximum length of a code; symbols of weight w have codes of {@code bits + 1 - w} bits
     */
    private void fill(int bits) {
        int start = 0;
        for (int weight = 0; weight <= bits; weight++) {
            int count = byWeight[weight];
            byWeight[weight] = start;
            start += count;
        }
        byte[] weightOf = weights.weights();
        int symbols = weights.count() + 1;
        for (int symbol = 0; symbol < symbols; symbol++) {
            sorted[byWeight[weightOf[symbol]]++] = (byte) symbol;
        }
        // Now byWeight has the end of each weight's symbols, which is the start of the next weight's.
        int position = 0;
        for (int weight = 1; weight <= bits; weight++) {
            int length = bits + 1 - weight;
            int run = 1 << LOG - length; // all indices that begin with the code
            position = fill(position, byWeight[weight - 1], byWeight[weight], run, length);
        }
    }

    /**
     * Assigns each of the sorted symbols {@code from} to {@code to} a run of entries; returns the end of the last run.
     *
     * @param start the index of the first entry
     * @param run the number of entries for each symbol
     * @param length the length of the symbols' codes in bits
     */
    private int fill(int start, int from, int to, int run, int length) {
        short[] table = entries;
        int position = start;
        for (int i = from; i < to; i++) {
            short entry = (short) (sorted[i] << 8 | length);
            if (run > LONG_RUN) {
                Arrays.fill(table, position, position + run, entry);
            } else if (run > 2) {
                for (int k = position; k < position + run; k += 4) { // runs are powers of 2, here 4, 8 or 16
                    table[k] = entry;
                    table[k + 1] = entry;
                    table[k + 2] = entry;
                    table[k + 3] = entry;
                }
            } else { // a run of one entry or two
                table[position] = entry;
                table[position + run - 1] = entry;
            }
            position += run;
        }
        return position;
    }
}
