package dev.shardkit.codec.bzip2;

import java.util.Arrays;

/**
 * Writes one block of a bzip2 stream, without its marker and checksum, which precede it. Sorts the bytes (the
 * Burrows-Wheeler transform), replaces each by its move-to-front index, that is, its position in a list of the most
 * recent bytes, shortens runs of index 0, and writes Huffman codes. There are several Huffman tables; each group of 50
 * symbols chooses one. {@link Bz2Block} decodes blocks. Not thread-safe.
 */
final class Bz2BlockWriter {
    /** The number of rounds in which the tables are fitted to the groups of symbols that chose them. */
    private static final int ROUNDS = 4;
    /** The minimum numbers of symbols for which a 3rd, 4th, 5th and 6th table save more bits than they cost. */
    private static final int[] SYMBOLS_FOR_A_TABLE = {200, 600, 1200, 2400};

    /** The assumed code length in bits of a symbol that an initial table does not prefer; preferred ones have 0. */
    private static final int FAR = 15;

    private final Bz2BitWriter out;
    /** The symbols to write: digits of runs, move-to-front indices plus 1, the end. */
    private int[] symbols = new int[0];
    /** The number of {@link #symbols} in the block. */
    private int count;

    Bz2BlockWriter(Bz2BitWriter out) {
        this.out = out;
    }

    /** Writes the first {@code size} bytes of {@code block}, in which runs of equal bytes are shortened already. */
    void write(byte[] block, int size) {
        Bz2Sort sorted = Bz2Sort.of(block, size);
        out.write(24, sorted.origin());
        byte[] usedSymbols = writeUsedSymbols(block, size);
        symbolize(sorted.lastBytes(), usedSymbols);
        // one symbol for each index except 0, two for the lengths of runs of index 0, one for the end
        int alphabet = usedSymbols.length + 2;
        byte[] selectors = new byte[(count + Bz2Format.GROUP - 1) / Bz2Format.GROUP];
        int[][] lengths = firstLengths(alphabet);
        for (int round = 0; round < ROUNDS; round++) {
            lengths = adapt(lengths, selectors, alphabet);
        }
        out.write(3, lengths.length);
        writeSelectors(selectors);
        int[][] codes = new int[lengths.length][];
        for (int i = 0; i < codes.length; i++) {
            writeLengths(lengths[i]);
            codes[i] = codes(lengths[i]);
        }
        for (int i = 0; i < count; i++) {
            int table = selectors[i / Bz2Format.GROUP];
            out.write(lengths[table][symbols[i]], codes[table][symbols[i]]);
        }
    }

    /** Writes which bytes occur in the block, as a bit map of 16 rows without the empty rows, and returns the bytes. */
    private byte[] writeUsedSymbols(byte[] block, int size) {
        boolean[] occurs = new boolean[256];
        for (int i = 0; i < size; i++) {
            occurs[block[i] & 0xff] = true;
        }
        int[] rows = new int[16];
        byte[] symbols = new byte[256];
        int count = 0;
        for (int b = 0; b < occurs.length; b++) {
            rows[b / 16] = rows[b / 16] << 1 | (occurs[b] ? 1 : 0);
            if (occurs[b]) {
                symbols[count++] = (byte) b;
            }
        }
        for (int row : rows) {
            out.write(1, row == 0 ? 0 : 1);
        }
        for (int row : rows) {
            if (row != 0) {
                out.write(16, row);
            }
        }
        return Arrays.copyOf(symbols, count);
    }

    /** Converts the bytes to move-to-front indices, and runs of index 0 to digits. */
    private void symbolize(byte[] bytes, byte[] usedSymbols) {
        byte[] recent = usedSymbols.clone();
        symbols = new int[bytes.length + 1];
        count = 0;
        int run = 0;
        for (byte b : bytes) {
            if (b == recent[0]) {
                run++;
                continue;
            }
            appendRun(run);
            run = 0;
            int index = 1;
            while (recent[index] != b) {
                index++;
            }
            Bz2Format.toFront(recent, index);
            symbols[count++] = index + 1;
        }
        appendRun(run);
        symbols[count++] = usedSymbols.length + 1;
    }

    /** Appends the length of a run in digits 1 and 2 with the weights 1, 2, 4 ... */
    private void appendRun(int length) {
        for (int remaining = length; remaining > 0; remaining = (remaining - 1) / 2) {
            symbols[count++] = (remaining - 1) % 2;
        }
    }

    /** Returns initial code lengths, with which each table prefers the symbols of another part of the alphabet. */
    private int[][] firstLengths(int alphabet) {
        int tables = 2;
        for (int minimum : SYMBOLS_FOR_A_TABLE) {
            tables += count >= minimum ? 1 : 0;
        }
        long[] counts = new long[alphabet];
        for (int i = 0; i < count; i++) {
            counts[symbols[i]]++;
        }
        int[][] lengths = new int[tables][alphabet];
        long cumulative = 0;
        for (int symbol = 0; symbol < alphabet; symbol++) {
            int tableIndex = (int) Math.min(tables - 1, cumulative * tables / count);
            cumulative += counts[symbol];
            for (int table = 0; table < tables; table++) {
                lengths[table][symbol] = table == tableIndex ? 0 : FAR;
            }
        }
        return lengths;
    }

    /** Selects for each group the table that gives the fewest bits. Returns code lengths that fit these selections. */
    private int[][] adapt(int[][] lengths, byte[] selectors, int alphabet) {
        long[][] counts = new long[lengths.length][alphabet];
        for (int group = 0; group < selectors.length; group++) {
            int from = group * Bz2Format.GROUP;
            int to = Math.min(count, from + Bz2Format.GROUP);
            int best = Integer.MAX_VALUE;
            for (int table = 0; table < lengths.length; table++) {
                int bits = 0;
                for (int i = from; i < to; i++) {
                    bits += lengths[table][symbols[i]];
                }
                if (bits < best) {
                    best = bits;
                    selectors[group] = (byte) table;
                }
            }
            for (int i = from; i < to; i++) {
                counts[selectors[group]][symbols[i]]++;
            }
        }
        return Arrays.stream(counts).map(Bz2Lengths::of).toArray(int[][]::new);
    }

    /** Writes the table of each group of symbols as a move-to-front index in unary. */
    private void writeSelectors(byte[] selectors) {
        out.write(15, selectors.length);
        byte[] recent = {0, 1, 2, 3, 4, 5};
        for (byte selector : selectors) {
            int index = 0;
            while (recent[index] != selector) {
                out.write(1, 1);
                index++;
            }
            out.write(1, 0);
            Bz2Format.toFront(recent, index);
        }
    }

    /** Writes the lengths of a table as differences: 10 adds one to the last length, 11 subtracts one, 0 ends it. */
    private void writeLengths(int[] lengths) {
        int last = lengths[0];
        out.write(5, last);
        for (int length : lengths) {
            for (; last < length; last++) {
                out.write(2, 0b10);
            }
            for (; last > length; last--) {
                out.write(2, 0b11);
            }
            out.write(1, 0);
        }
    }

    /** Returns the canonical Huffman codes: ascending by length, then by symbol. */
    private static int[] codes(int[] lengths) {
        int[] codes = new int[lengths.length];
        int code = 0;
        for (int length = 1; length <= Bz2Format.LONGEST_CODE; length++) {
            code <<= 1;
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] == length) {
                    codes[symbol] = code++;
                }
            }
        }
        return codes;
    }
}
