package dev.shardkit.codec.bzip2;

import dev.shardkit.spi.error.CorruptDataException;
import java.util.Arrays;

/**
 * Decodes one block of a bzip2 stream. The encoder has sorted the bytes of the text by the Burrows-Wheeler transform,
 * replaced each byte by its move-to-front index, shortened runs of index 0, and written Huffman codes. This class
 * undoes the steps in the reverse order. Reused for the next block. Not thread-safe.
 */
final class Bz2Block {
    private static final int FEWEST_TABLES = 2;
    private static final int MAX_TABLES = 6;
    /** The higher of the symbols 0 and 1, the digits of a run's length. Higher symbols are move-to-front indices. */
    private static final int RUN_B = 1;

    private final Bz2Bits bits;
    /** The maximum number of bytes in a block. */
    private final int capacity;
    /**
     * The sorted bytes in the lowest 8 bits. The higher bits contain the index of the byte that follows in the text.
     */
    private int[] sorted = new int[1 << 10];
    /** The number of bytes in the block. */
    private int size;
    /** The index in {@link #sorted} of the next byte of the text. */
    private int position;

    /** Whether an old encoder has changed some bytes before sorting, in a fixed pattern. */
    private boolean isRandomised;

    private Bz2Derandomizer derandomizer = new Bz2Derandomizer();

    Bz2Block(Bz2Bits bits, int level) {
        this.bits = bits;
        this.capacity = level * Bz2Format.UNIT;
    }

    /** Returns the number of bytes that {@link #next} returns, in which runs are still shortened. */
    int size() {
        return size;
    }

    /** Returns the next byte of the text, in its original order. */
    int next() {
        int b = sorted[position] & 0xff;
        position = sorted[position] >>> Byte.SIZE;
        return isRandomised ? b ^ derandomizer.next() : b;
    }

    /** Reads the block after its checksum. */
    void read() {
        isRandomised = bits.bit() == 1;
        derandomizer = new Bz2Derandomizer();
        int origin = (int) bits.read(24);
        byte[] usedSymbols = readUsedSymbols();
        int tables = (int) bits.read(3);
        if (tables < FEWEST_TABLES || tables > MAX_TABLES) {
            throw malformed("2 to 6 tables of codes", tables);
        }
        byte[] selectors = readSelectors(tables);
        Bz2Codes[] codes = new Bz2Codes[tables];
        for (int i = 0; i < tables; i++) {
            // one symbol for each index except 0, two for the lengths of runs of index 0, one for the end
            codes[i] = Bz2Codes.read(bits, usedSymbols.length + 2);
        }
        int[] counts = readSymbols(usedSymbols, selectors, codes);
        if (origin >= size) {
            throw malformed("a start position below " + size, origin);
        }
        link(counts);
        position = sorted[origin] >>> Byte.SIZE;
    }

    /**
     * Reads the set of bytes that occur: one bit for each group of 16 byte values, then one bit for each value of the
     * groups whose bit is set.
     */
    private byte[] readUsedSymbols() {
        byte[] symbols = new byte[256];
        int count = 0;
        int rows = (int) bits.read(16);
        for (int row = 0; row < 16; row++) {
            int row16 = (rows >> (15 - row) & 1) == 1 ? (int) bits.read(16) : 0;
            for (int i = 0; i < 16; i++) {
                if ((row16 >> (15 - i) & 1) == 1) {
                    symbols[count++] = (byte) (row * 16 + i);
                }
            }
        }
        if (count == 0) {
            throw malformed("at least one byte value in the table of the block", "none");
        }
        return Arrays.copyOf(symbols, count);
    }

    /** Reads the table of each group of symbols. Tables are written as move-to-front indices in unary. */
    private byte[] readSelectors(int tables) {
        byte[] selectors = new byte[(int) bits.read(15)];
        byte[] recent = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < selectors.length; i++) {
            int index = 0;
            while (bits.bit() == 1) {
                if (++index >= tables) {
                    throw malformed("one of " + tables + " tables", index);
                }
            }
            selectors[i] = Bz2Format.toFront(recent, index);
        }
        return selectors;
    }

    /** Reads the symbols up to the end of the block, and counts how often each byte occurs. */
    private int[] readSymbols(byte[] usedSymbols, byte[] selectors, Bz2Codes[] codes) {
        int[] counts = new int[256];
        int end = usedSymbols.length + 1;
        int run = 0;
        int weight = 1;
        size = 0;
        for (int i = 0; ; i++) {
            if (i / Bz2Format.GROUP >= selectors.length) {
                throw malformed("the end of the block", "more than " + i + " symbols");
            }
            int symbol = codes[selectors[i / Bz2Format.GROUP]].next(bits);
            if (symbol <= RUN_B) {
                // The length of a run is written in digits 1 and 2 with the weights 1, 2, 4 ...
                run += weight << symbol;
                weight <<= 1;
                if (run > capacity) {
                    throw tooLong();
                }
                continue;
            }
            append(usedSymbols[0] & 0xff, run, counts);
            if (symbol == end) {
                return counts;
            }
            append(Bz2Format.toFront(usedSymbols, symbol - 1) & 0xff, 1, counts);
            run = 0;
            weight = 1;
        }
    }

    /** Appends a byte {@code length} times to the sorted bytes, and counts it. */
    private void append(int b, int length, int[] counts) {
        if (length > capacity - size) {
            throw tooLong();
        }
        if (length > sorted.length - size) {
            // The header may claim any level, so memory grows with the symbols.
            sorted = Arrays.copyOf(sorted, Math.min(capacity, Math.max(2 * sorted.length, size + length)));
        }
        Arrays.fill(sorted, size, size + length, b);
        size += length;
        counts[b] += length;
    }

    /** Undoes the sorting: stores the index of the following byte above the lowest 8 bits of each entry. */
    private void link(int[] counts) {
        // replace the count of each byte by its first position in the order of all bytes
        int sum = 0;
        for (int b = 0; b < counts.length; b++) {
            int count = counts[b];
            counts[b] = sum;
            sum += count;
        }
        for (int i = 0; i < size; i++) {
            sorted[counts[sorted[i] & 0xff]++] |= i << Byte.SIZE;
        }
    }

    private CorruptDataException tooLong() {
        return malformed("at most " + capacity + " bytes in a block", "more");
    }

    static CorruptDataException malformed(String expected, Object found) {
        return new CorruptDataException(Bz2Codec.NAME + ": expected " + expected + ", found " + found);
    }
}
