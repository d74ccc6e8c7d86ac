package dev.shardkit.codec.zstd.entropy;

import java.util.Arrays;

/**
 * Builds the Huffman code with which the literals of a block are encoded (RFC 8878, section 4.2.1): shorter for
 * frequent symbols, at most {@link HuffmanTable#LOG} bits. Reused from block to block; not thread-safe.
 */
public final class HuffmanCode {
    /** The maximum length of a code in bits. */
    private static final int LONGEST = HuffmanTable.LOG;

    /** The symbols that occur, ascending by count: the count, and the symbol in the lowest byte. */
    private final long[] sorted = new long[256];
    /** First the counts of the sorted symbols, which {@link #build} then replaces by the lengths of their codes. */
    private final int[] lengths = new int[256];
    /** For each symbol, its code, and the number of the code's bits in the lowest four bits; 0 if there is no code. */
    private final int[] entries = new int[256];
    /** The weight of each symbol: the longest length plus one, minus its own length; 0 if the symbol does not occur. */
    private final byte[] weights = new byte[256];
    /** While codes are assigned: the next code of each weight. */
    private final int[] next = new int[LONGEST + 2];

    private final HuffmanWeightsWriter writer = new HuffmanWeightsWriter();
    /** The highest symbol that occurs, plus one. */
    private int symbols;

    /** Returns the code of each symbol, with the number of the code's bits in the lowest four bits. */
    public int[] entries() {
        return entries;
    }

    /** Builds the code for a histogram of at least two symbols; returns the total number of bits. */
    public long build(SymbolCounts histogram) {
        int[] counts = histogram.counts();
        symbols = histogram.symbols();
        int n = 0;
        for (int s = 0; s < symbols; s++) {
            if (counts[s] > 0) {
                sorted[n++] = (long) counts[s] << 8 | s;
            }
        }
        Arrays.sort(sorted, 0, n);
        for (int i = 0; i < n; i++) {
            lengths[i] = (int) (sorted[i] >>> 8);
        }
        toHuffmanLengths(lengths, n);
        limitLengths(lengths, n);
        int longest = 0;
        for (int i = 0; i < n; i++) {
            longest = Math.max(longest, lengths[i]);
        }
        return assignCodes(n, longest);
    }

    /**
     * Converts ascending counts to the code lengths of a Huffman tree, in place (Moffat and Katajainen, "In-place
     * calculation of minimum-redundancy codes", 1995). First joins the two nodes with the smallest counts until one is
     * left, then computes the depths from the root.
     *
     * @param n the number of symbols, at least two
     */
    private static void toHuffmanLengths(int[] nodes, int n) {
        int leaf = 0;
        int root = 0;
        // Each step joins two nodes, leaves or inner ones ("roots" of joined trees), stores their sum in the next inner
        // node, and replaces the sum of a joined inner node by the index of its parent.
        for (int next = 0; next < n - 1; next++) {
            int sum = 0;
            for (int twice = 0; twice < 2; twice++) {
                if (leaf >= n || root < next && nodes[root] < nodes[leaf]) {
                    sum += nodes[root];
                    nodes[root++] = next;
                } else {
                    sum += nodes[leaf++];
                }
            }
            nodes[next] = sum;
        }
        // replaces the parent of each inner node by its depth
        nodes[n - 2] = 0;
        for (int node = n - 3; node >= 0; node--) {
            nodes[node] = nodes[nodes[node]] + 1;
        }
        // Computes the depths of the leaves from those of the inner nodes. Of the open nodes at a depth, those that are
        // no inner nodes are leaves.
        int node = n - 2;
        int position = n - 1;
        int open = 1;
        for (int depth = 0; open > 0; depth++) {
            int inner = 0;
            for (; node >= 0 && nodes[node] == depth; node--) {
                inner++;
            }
            for (; open > inner; open--) {
                nodes[position--] = depth;
            }
            open = 2 * inner;
        }
    }

    /** Limits lengths to the maximum, and makes the code complete again. */
    private static void limitLengths(int[] lengths, int n) {
        // the code space that the codes use minus the available one, in codes of the maximum length
        int excess = -(1 << LONGEST);
        for (int i = 0; i < n; i++) {
            lengths[i] = Math.min(lengths[i], LONGEST);
            excess += 1 << LONGEST - lengths[i];
        }
        while (excess > 0) { // too many codes: lengthen the codes of the rarest symbols first
            for (int i = 0; i < n && excess > 0; i++) {
                if (lengths[i] < LONGEST) {
                    excess -= 1 << LONGEST - 1 - lengths[i]++;
                }
            }
        }
        while (excess < 0) { // unused codes: shorten the codes of the most frequent symbols first
            for (int i = n - 1; i >= 0; i--) {
                if (1 << LONGEST - lengths[i] <= -excess) {
                    excess += 1 << LONGEST - lengths[i]--;
                }
            }
        }
    }

    /**
     * Assigns the codes: the longest ones begin with 0, and codes of one length are ordered by symbol. Returns the
     * total number of bits.
     */
    private long assignCodes(int n, int longest) {
        Arrays.fill(next, 0);
        Arrays.fill(weights, 0, symbols, (byte) 0);
        long total = 0;
        for (int i = 0; i < n; i++) {
            int weight = longest + 1 - lengths[i];
            weights[(int) sorted[i] & 0xff] = (byte) weight;
            next[weight]++;
            total += (sorted[i] >>> 8) * lengths[i];
        }
        int start = 0;
        for (int weight = 1; weight <= longest; weight++) {
            int size = next[weight] << weight - 1;
            next[weight] = start >> weight - 1;
            start += size;
        }
        for (int s = 0; s < symbols; s++) {
            int weight = weights[s];
            entries[s] = weight == 0 ? 0 : next[weight]++ << 4 | longest + 1 - weight;
        }
        return total;
    }

    /** Writes the description of the code to {@code offset}; returns its end, or -1 if it cannot be written. */
    public int describe(byte[] out, int offset) {
        return writer.write(weights, symbols - 1, out, offset); // the last weight follows from the others
    }
}
