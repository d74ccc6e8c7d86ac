package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.codec.zstd.entropy.FseCode;
import dev.shardkit.codec.zstd.entropy.FseTable;
import dev.shardkit.codec.zstd.entropy.SymbolBaselines;
import dev.shardkit.codec.zstd.entropy.SymbolCounts;
import dev.shardkit.codec.zstd.entropy.SymbolDistribution;

/**
 * Chooses and builds the FSE code of one part of the sequences of a zstd block: of the literal lengths, the offsets or
 * the match lengths (RFC 8878, section 3.1.1.3.2.1). Chooses the mode that needs the fewest bits. The decoder's
 * counterpart is {@code SequenceTable}. Reused; not thread-safe.
 */
final class SequenceTableEncoder {
    /** The mode of a table that the format defines. */
    private static final int PREDEFINED = 0;
    /** The mode of a table with one symbol. */
    private static final int RLE = 1;
    /** The mode of a table that the block describes. */
    private static final int COMPRESSED = 2;
    /** The lowest accuracy log that the format allows. */
    private static final int LOWEST_LOG = 5;
    /** The minimum number of sequences for which a table of their own saves bytes. */
    private static final int FEW = 32;
    /** 256 times the binary logarithm of each index. */
    private static final int[] LOG2 = new int[(1 << 9) + 1];

    static {
        for (int i = 1; i < LOG2.length; i++) {
            LOG2[i] = (int) Math.round(256 * Math.log(i) / Math.log(2));
        }
    }

    private final SymbolBaselines codes;
    private final SymbolCounts histogram = new SymbolCounts();
    private final SymbolDistribution distribution = new SymbolDistribution();
    private final FseTable table = new FseTable();
    private final FseCode predefined = new FseCode();
    /** The code that was built for this block. */
    private final FseCode fitted = new FseCode();
    /** The chosen code. */
    private FseCode code = predefined;

    private int mode;

    SequenceTableEncoder(SymbolBaselines codes) {
        this.codes = codes;
        predefined.build(codes.predefined(), table);
    }

    /** Returns the counts of the symbols, to be filled before {@link #write}. */
    SymbolCounts histogram() {
        return histogram;
    }

    /** Returns the chosen mode. */
    int mode() {
        return mode;
    }

    /** Returns the chosen table. */
    FseCode code() {
        return code;
    }

    /** Chooses a mode and writes the description to {@code offset}; returns its end. */
    int write(byte[] out, int offset) {
        int total = histogram.total();
        long predefinedCost = cost(codes.predefined());
        // In the mode RLE, a byte states the only symbol. Costs are in 1/256 of a bit, so 8 << 8 is one byte.
        if (histogram.usedSymbols() == 1 && (predefinedCost < 0 || predefinedCost > 8 << 8)) {
            mode = RLE;
            code = fitted;
            fitted.single(histogram.symbols() - 1);
            out[offset] = (byte) (histogram.symbols() - 1);
            return offset + 1;
        }
        if (histogram.usedSymbols() > 1 && (predefinedCost < 0 || total >= FEW)) {
            distribution.fit(histogram, log(total));
            int end = distribution.write(out, offset);
            if (predefinedCost < 0 || cost(distribution) + ((long) (end - offset) << 8 + 3) < predefinedCost) {
                mode = COMPRESSED;
                code = fitted;
                fitted.build(distribution, table);
                return end;
            }
        }
        mode = PREDEFINED;
        code = predefined;
        return offset;
    }

    /** Returns the accuracy log: at most one state for each four sequences, but at least two for each symbol. */
    private int log(int total) {
        int log = Math.min(codes.highestLog(), 29 - Integer.numberOfLeadingZeros(total));
        int enough = 33 - Integer.numberOfLeadingZeros(histogram.usedSymbols());
        return Math.max(LOWEST_LOG, Math.max(log, enough));
    }

    /** Returns the total number of bits, times 256; -1 if {@code distribution} lacks a symbol. */
    private long cost(SymbolDistribution distribution) {
        int[] counts = histogram.counts();
        if (histogram.symbols() > distribution.symbols()) {
            return -1;
        }
        long cost = 0;
        for (int s = 0; s < histogram.symbols(); s++) {
            if (counts[s] > 0) {
                if (distribution.count(s) == 0) {
                    return -1;
                }
                cost += (long) counts[s] * ((distribution.log() << 8) - LOG2[Math.abs(distribution.count(s))]);
            }
        }
        return cost;
    }
}
