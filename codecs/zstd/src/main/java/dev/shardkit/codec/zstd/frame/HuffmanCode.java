package dev.shardkit.codec.zstd.frame;

import java.util.Arrays;

/**
 * The code that literals are written in (RFC 8878, section 4.2.1): shorter for frequent symbols, at most
 * {@link HuffmanTable#LOG} bits. Reused from block to block; not thread-safe.
 */
final class HuffmanCode {
    private static final int LONGEST = HuffmanTable.LOG;

    /** Counts and, in the lower byte, symbols: ascending; then the counts alone, which become lengths. */
    private final long[] sorted = new long[256];

    private final int[] lengths = new int[256];
    private final int[] entries = new int[256];
    private final byte[] weights = new byte[256];
    private final int[] next = new int[LONGEST + 2];
    private final WeightsWriter writer = new WeightsWriter();
    private int symbols;

    /** For each symbol its bits, and their number in the lowest four. */
    int[] entries() {
        return entries;
    }

    /** Makes the code for a histogram of two symbols or more; gives how many bits all of them take. */
    long build(Histogram histogram) {
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
        shortest(lengths, n);
        bound(lengths, n);
        int longest = 0;
        for (int i = 0; i < n; i++) {
            longest = Math.max(longest, lengths[i]);
        }
        return assign(n, longest);
    }

    /**
     * Turns ascending counts into lengths of a code that is as short as can be, in place: pairs of the smallest are
     * joined until one is left, then depths go down from the root (Moffat and Katajainen, 1995).
     */
    private static void shortest(int[] a, int n) {
        int leaf = 0;
        int root = 0;
        for (int next = 0; next < n - 1; next++) { // the sum of two, and where each joined one went
            int sum = 0;
            for (int twice = 0; twice < 2; twice++) {
                if (leaf >= n || root < next && a[root] < a[leaf]) {
                    sum += a[root];
                    a[root++] = next;
                } else {
                    sum += a[leaf++];
                }
            }
            a[next] = sum;
        }
        a[n - 2] = 0;
        for (int node = n - 3; node >= 0; node--) {
            a[node] = a[a[node]] + 1;
        }
        int node = n - 2;
        int at = n - 1;
        int open = 1;
        for (int depth = 0; open > 0; depth++) {
            int inner = 0;
            for (; node >= 0 && a[node] == depth; node--) {
                inner++;
            }
            for (; open > inner; open--) {
                a[at--] = depth;
            }
            open = 2 * inner;
        }
    }

    /** Cuts lengths down to the longest that may be, and makes the code complete again. */
    private static void bound(int[] lengths, int n) {
        int excess = -(1 << LONGEST);
        for (int i = 0; i < n; i++) {
            lengths[i] = Math.min(lengths[i], LONGEST);
            excess += 1 << LONGEST - lengths[i];
        }
        while (excess > 0) { // the rarest first
            for (int i = 0; i < n && excess > 0; i++) {
                if (lengths[i] < LONGEST) {
                    excess -= 1 << LONGEST - 1 - lengths[i]++;
                }
            }
        }
        while (excess < 0) { // the most frequent first
            for (int i = n - 1; i >= 0; i--) {
                if (1 << LONGEST - lengths[i] <= -excess) {
                    excess += 1 << LONGEST - lengths[i]--;
                }
            }
        }
    }

    /** Gives out the codes: those of the longest begin with 0, those of one length go by symbol. */
    private long assign(int n, int longest) {
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

    /** Writes the description of the code to {@code at}; gives where it ends, or -1 if none can be written. */
    int describe(byte[] out, int at) {
        return writer.write(weights, symbols - 1, out, at); // the last one is told by the others
    }
}
