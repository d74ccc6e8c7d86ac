package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.spi.bytes.Words;
import java.util.Arrays;

/**
 * The distribution of the symbols of an FSE table: the number of states of each symbol, in proportion to how often it
 * occurs. Reads and writes the distribution in the form that zstd frames use (RFC 8878, section 4.1.1). Reused; not
 * thread-safe.
 */
public final class SymbolDistribution {
    /** The lowest accuracy log; frames state the difference to it. */
    private static final int LOWEST_LOG = 5;

    /**
     * The number of states of each symbol. A very rare symbol has the number -1. It has one state, and the decoder
     * reads the number of the state that follows it in full, in {@link #log} bits.
     */
    private final short[] counts = new short[256];

    /** The accuracy log: the table has {@code 1 << log} states. */
    private int log;

    private int symbols;

    /** Creates a distribution from constants, such as the predefined ones of the format. */
    static SymbolDistribution of(int log, int... counts) {
        SymbolDistribution d = new SymbolDistribution();
        d.log = log;
        for (int c : counts) {
            d.counts[d.symbols++] = (short) c;
        }
        return d;
    }

    /** Returns the accuracy log: the table has {@code 1 << log} states. */
    public int log() {
        return log;
    }

    /** Returns the number of symbols with a count. */
    public int symbols() {
        return symbols;
    }

    /** Returns the number of states of a symbol; -1 means one state after which the next one is read completely. */
    public int count(int symbol) {
        return counts[symbol];
    }

    /**
     * Reads a description from {@code from}, which ends before {@code to}; returns its end.
     *
     * @param maxSymbols the maximum number of symbols
     */
    public int read(byte[] in, int from, int to, int highestLog, int maxSymbols) {
        long position = 8L * from;
        log = LOWEST_LOG + bits(in, position, to, 4);
        position += 4;
        if (log > highestLog) {
            throw new MalformedFrame(from, "expected an accuracy log of at most " + highestLog + ", found " + log);
        }
        Arrays.fill(counts, 0, maxSymbols, (short) 0);
        int remaining = 1 << log;
        int symbol = 0;
        while (remaining > 0) {
            if (symbol >= maxSymbols) {
                throw new MalformedFrame(from, "expected counts of at most " + maxSymbols + " symbols, found more");
            }
            // Reads a value from 0 to remaining + 1 in width bits. 2^width numbers are more than needed, so the lowest
            // values, as many as there are spare numbers, take one bit less.
            int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
            int spare = (1 << width) - 2 - remaining;
            int bits = bits(in, position, to, width);
            int half = 1 << width - 1;
            int low = bits & half - 1;
            int value = low < spare ? low : bits < half ? bits : bits - spare;
            position += low < spare ? width - 1 : width;
            int count = value - 1;
            counts[symbol++] = (short) count;
            remaining -= Math.abs(count);
            if (count == 0) {
                // two bits state how many further symbols have the count 0; after a 3, two more bits follow
                int run;
                do {
                    run = bits(in, position, to, 2);
                    position += 2;
                    symbol += run;
                } while (run == 3 && symbol < maxSymbols);
            }
        }
        int end = (int) (position + 7 >>> 3);
        if (end > to) {
            throw new MalformedFrame(from, "expected counts of " + (1 << log) + " in all, found the end of the block");
        }
        symbols = symbol;
        return end;
    }

    /**
     * Computes the counts that best fit a histogram of at least two symbols, with a total of {@code 1 << log} and at
     * least one for each symbol that occurs.
     */
    public void fit(SymbolCounts histogram, int log) {
        int[] frequencies = histogram.counts();
        int size = 1 << log;
        int assigned = 0;
        this.log = log;
        symbols = histogram.symbols();
        for (int s = 0; s < symbols; s++) {
            int probability =
                    frequencies[s] == 0 ? 0 : Math.max(1, (int) ((long) frequencies[s] * size / histogram.total()));
            counts[s] = (short) probability;
            assigned += probability;
        }
        for (; assigned < size; assigned++) {
            counts[gainsMost(frequencies)]++;
        }
        for (; assigned > size; assigned--) {
            counts[losesLeast(frequencies)]--;
        }
    }

    /**
     * Returns the symbol that saves most bits if it gets one more state. With n states, a symbol of frequency f would
     * save {@code f * log2((n + 1) / n)} bits, which is about proportional to {@code f / (n + 1/2)}.
     */
    private int gainsMost(int[] frequencies) {
        int best = 0;
        for (int s = 1; s < symbols; s++) {
            if ((long) frequencies[s] * (2 * counts[best] + 1) > (long) frequencies[best] * (2 * counts[s] + 1)) {
                best = s;
            }
        }
        return best;
    }

    /** Returns the symbol with more than one state that costs the fewest additional bits if it loses a state. */
    private int losesLeast(int[] frequencies) {
        int best = -1;
        for (int s = 0; s < symbols; s++) {
            if (counts[s] > 1
                    && (best < 0
                            || (long) frequencies[s] * (2 * counts[best] - 1)
                                    < (long) frequencies[best] * (2 * counts[s] - 1))) {
                best = s;
            }
        }
        return best;
    }

    /** Writes the description to {@code offset}; returns its end. */
    public int write(byte[] out, int offset) {
        BitWriter bits = new BitWriter(out, offset);
        bits.put(log - LOWEST_LOG, 4);
        int remaining = 1 << log;
        int symbol = 0;
        while (remaining > 0) {
            int count = counts[symbol++];
            int value = count + 1;
            int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
            int spare = (1 << width) - 2 - remaining;
            if (value < spare) {
                bits.put(value, width - 1);
            } else {
                bits.put(value < 1 << width - 1 ? value : value + spare, width);
            }
            remaining -= Math.abs(count);
            if (count == 0) {
                int run = symbol;
                while (counts[symbol] == 0) { // ends, because the last symbol has a count
                    symbol++;
                }
                for (run = symbol - run; run >= 3; run -= 3) {
                    bits.put(3, 2);
                }
                bits.put(run, 2);
            }
        }
        return bits.aligned();
    }

    /** Returns {@code n} bits, at most 16, from bit {@code offset} of the array on; bits after {@code to} are 0. */
    private static int bits(byte[] in, long offset, int to, int n) {
        int from = (int) (offset >>> 3);
        int window;
        if (to - from >= 4) {
            window = Words.int32(in, from);
        } else {
            window = 0;
            for (int i = to - 1; i >= from; i--) {
                window = window << 8 | in[i] & 0xff;
            }
        }
        return window >>> (int) (offset & 7) & (1 << n) - 1;
    }
}
