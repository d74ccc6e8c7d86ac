package dev.shardkit.codec.zstd.entropy;

import java.util.Arrays;

/** Counts how often each symbol occurs (a histogram), for building codes. Reused; not thread-safe. */
public final class SymbolCounts {
    private final int[] counts = new int[256];
    /** The counts of every second byte. Counting equal neighbours in one array would make the processor wait. */
    private final int[] odd = new int[256];

    private int symbols;
    private int maximum;
    private int usedSymbols;
    private int total;

    /** Counts the bytes of {@code in} from {@code from} up to {@code to}. */
    public void ofBytes(byte[] in, int from, int to) {
        clear();
        int position = from;
        for (; position < to - 1; position += 2) {
            counts[in[position] & 0xff]++;
            odd[in[position + 1] & 0xff]++;
        }
        if (position < to) {
            counts[in[position] & 0xff]++;
        }
        for (int s = 0; s < counts.length; s++) {
            counts[s] += odd[s];
        }
        sum();
    }

    /** Sets all counts to 0. */
    public void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(odd, 0);
    }

    /** Returns the counts, for callers that count themselves and then call {@link #sum}. */
    public int[] counts() {
        return counts;
    }

    /** Computes the values that the methods below return. */
    public void sum() {
        symbols = 0;
        maximum = 0;
        usedSymbols = 0;
        total = 0;
        for (int s = 0; s < counts.length; s++) {
            int count = counts[s];
            if (count > 0) {
                symbols = s + 1;
                maximum = Math.max(maximum, count);
                usedSymbols++;
                total += count;
            }
        }
    }

    /** Returns the highest symbol plus one. */
    public int symbols() {
        return symbols;
    }

    /** Returns the highest count. */
    public int maximum() {
        return maximum;
    }

    /** Returns the number of different symbols. */
    public int usedSymbols() {
        return usedSymbols;
    }

    /** Returns the total number of symbols. */
    public int total() {
        return total;
    }
}
