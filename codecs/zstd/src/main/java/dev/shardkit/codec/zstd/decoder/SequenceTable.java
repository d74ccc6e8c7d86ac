package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.FseTable;
import dev.shardkit.codec.zstd.entropy.SymbolBaselines;
import dev.shardkit.codec.zstd.entropy.SymbolDistribution;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import java.util.Arrays;

/**
 * The decoding table of one part of the sequences of a zstd block: of the literal lengths, the offsets or the match
 * lengths (RFC 8878, section 3.1.1.3.2.1). Kept from block to block of a frame. Not thread-safe.
 */
final class SequenceTable {
    /** The mode of a table that the format defines. */
    private static final int PREDEFINED = 0;
    /** The mode of a table with one symbol. */
    private static final int RLE = 1;
    /** The mode of a table that a description defines. Tables of dictionaries always have this mode. */
    static final int COMPRESSED = 2;
    /** The value of {@link #log} if there is no table. */
    private static final int NONE = -1;

    private final SymbolBaselines codes;
    private final long[] predefined;
    /** The array of several tables; this one begins at {@link #from}. */
    private final long[] entries;

    private final int from;
    private final SymbolDistribution distribution = new SymbolDistribution();
    private final FseTable builder = new FseTable();
    /** The binary logarithm of the number of entries, or {@link #NONE} if there is no table yet. */
    private int log = NONE;

    /** Creates a table in {@code entries} from {@code from} on. */
    SequenceTable(SymbolBaselines codes, long[] entries, int from) {
        this.codes = codes;
        this.entries = entries;
        this.from = from;
        builder.build(codes.predefined(), codes, entries, from);
        this.predefined = Arrays.copyOfRange(
                entries, from, from + (1 << codes.predefined().log()));
    }

    /** Begins a frame with the table of its dictionary, or without a table. */
    void reset(SequenceTable initial) {
        log = initial.log;
        if (log != NONE) {
            System.arraycopy(initial.entries, initial.from, entries, from, 1 << log);
        }
    }

    /** Reads the table for {@code mode}, described at {@code offset}; returns the end of the description. */
    int read(int mode, byte[] in, int offset, int to) {
        switch (mode) {
            case PREDEFINED -> {
                System.arraycopy(predefined, 0, entries, from, predefined.length);
                log = codes.predefined().log();
                return offset;
            }
            case RLE -> {
                return readSingle(in, offset, to);
            }
            case COMPRESSED -> {
                int end = distribution.read(in, offset, to, codes.highestLog(), codes.size());
                builder.build(distribution, codes, entries, from);
                log = distribution.log();
                return end;
            }
            default -> { // repeats the last table
                if (log == NONE) {
                    throw new MalformedFrame(
                            offset, codes.name() + " need the table of an earlier block, and there is none");
                }
                return offset;
            }
        }
    }

    /** Reads the table of a block in which all sequences have the same symbol. */
    private int readSingle(byte[] in, int offset, int to) {
        if (offset >= to) {
            throw new MalformedFrame(
                    offset, "expected the only symbol of the " + codes.name() + ", found the end of the block");
        }
        int symbol = in[offset] & 0xff;
        if (symbol >= codes.size()) {
            throw new MalformedFrame(
                    offset,
                    "expected a symbol of the " + codes.name() + " below " + codes.size() + ", found " + symbol);
        }
        FseTable.single(entries, from, codes.meaning(symbol));
        log = 0;
        return offset + 1;
    }

    /** Returns whether at most one of 32 entries has a base value (without extra bits) above {@code maximum}. */
    boolean nearlyAllUpTo(int maximum) {
        int countAbove = 0;
        for (int i = from; i < from + (1 << log); i++) {
            countAbove += FseTable.base(entries[i]) > maximum ? 1 : 0;
        }
        return countAbove << 5 <= 1 << log;
    }

    /** Returns the state, an index in the array of entries, that the first {@link #log} bits of the stream select. */
    int firstState(int bits) {
        return from + bits;
    }

    /** Returns the number of bits of the first state. */
    int log() {
        return log;
    }
}
