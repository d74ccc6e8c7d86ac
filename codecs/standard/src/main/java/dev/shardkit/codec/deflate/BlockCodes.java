package dev.shardkit.codec.deflate;

import dev.shardkit.codec.deflate.CodeTable.Incomplete;
import java.util.Arrays;

/**
 * The Huffman codes of a block of deflate: one code for literals and lengths, and one for distances (RFC 1951, sections
 * 3.2.5 to 3.2.7). Both decoding tables are in one array, which saves a register in the decoder's loop.
 * {@link CodeTable} explains the entries, and the subtables for codes that are longer than the table's index. Reused;
 * not thread-safe.
 */
final class BlockCodes {
    /** The number of bits that index the table of literals and lengths, which begins at 0. */
    static final int LITERAL_BITS = 11;
    /** The number of bits that index the table of distances. */
    static final int DISTANCE_BITS = 8;

    /** The number of symbols of literals and lengths. */
    private static final int LITERALS = 286;
    /** The number of symbols of distances. */
    private static final int DISTANCES = 30;

    /** The symbol that ends a block; lower symbols are literals, higher ones lengths. */
    private static final int END_OF_BLOCK = 256;

    /**
     * The start of the table of distances, after the table of literals and its subtables. Codes have at most 15 bits
     * and the index 11, so a subtable of literals has at most 2^4 entries. A subtable of 2^k entries has at least k + 1
     * codes. So there are at most 16 entries for each 5 of the 288 symbols: 58 * 16.
     */
    static final int DISTANCE_TABLE = (1 << LITERAL_BITS) + 58 * 16;

    /** The size of both tables. Subtables of distances have at most 2^7 entries for each 8 of 30 symbols. */
    private static final int SIZE = DISTANCE_TABLE + (1 << DISTANCE_BITS) + 4 * 128;

    /** The number of bits that index the table of the length code, the code in which code lengths are written. */
    private static final int LENGTH_CODE_BITS = 7;

    /** The order in which a block states the lengths of the length code. */
    private static final byte[] LENGTH_CODE_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    private static final int[] LITERAL_SYMBOLS = literalSymbols();
    private static final int[] DISTANCE_SYMBOLS = distanceSymbols();
    private static final int[] LENGTH_CODE_SYMBOLS = lengthCodeSymbols();

    private final CodeTable builder = new CodeTable();
    private final int[] table = new int[SIZE];
    private final int[] lengthCode = new int[1 << LENGTH_CODE_BITS];
    /** The code lengths of the literals and lengths, then of the distances. */
    private final byte[] lengths = new byte[288 + 32];
    /** Whether the tables hold the fixed codes. */
    private boolean fixed;

    /** Returns the table entries of literals, the end of the block, and lengths with the number of their extra bits. */
    private static int[] literalSymbols() {
        int[] symbols = new int[288];
        for (int i = 0; i < END_OF_BLOCK; i++) {
            symbols[i] = CodeTable.LITERAL | i << 16;
        }
        symbols[END_OF_BLOCK] = CodeTable.SPECIAL | CodeTable.END;
        int smallest = 3;
        for (int i = 0; i < 28; i++) {
            int extra = Math.max(0, i / 4 - 1);
            symbols[257 + i] = smallest << 16 | extra;
            smallest += 1 << extra;
        }
        symbols[285] = 258 << 16;
        // the last two symbols have fixed codes, but are invalid in a stream
        symbols[286] = CodeTable.SPECIAL;
        symbols[287] = CodeTable.SPECIAL;
        return symbols;
    }

    /** Returns the table entries of distances with the number of their extra bits. */
    private static int[] distanceSymbols() {
        int[] symbols = new int[32];
        int smallest = 1;
        for (int i = 0; i < DISTANCES; i++) {
            int extra = Math.max(0, i / 2 - 1);
            symbols[i] = smallest << 16 | extra;
            smallest += 1 << extra;
        }
        // the last two symbols have fixed codes, but are invalid in a stream
        symbols[30] = CodeTable.SPECIAL;
        symbols[31] = CodeTable.SPECIAL;
        return symbols;
    }

    private static int[] lengthCodeSymbols() {
        int[] symbols = new int[19];
        for (int i = 0; i < symbols.length; i++) {
            symbols[i] = i << 16;
        }
        return symbols;
    }

    /** Returns both tables. */
    int[] table() {
        return table;
    }

    /** Sets the fixed codes (section 3.2.6). */
    void setFixed() {
        if (fixed) {
            return;
        }
        Arrays.fill(lengths, 0, 144, (byte) 8);
        Arrays.fill(lengths, 144, 256, (byte) 9);
        Arrays.fill(lengths, 256, 280, (byte) 7);
        Arrays.fill(lengths, 280, 288, (byte) 8);
        Arrays.fill(lengths, 288, 320, (byte) 5);
        fillBoth(288, 32, 0);
        fixed = true;
    }

    /** Reads the codes at the start of a block (section 3.2.7). */
    void read(Bits bits) {
        fixed = false;
        int literals = bits.take(5) + 257;
        int distances = bits.take(5) + 1;
        if (literals > LITERALS || distances > DISTANCES) {
            throw new MalformedStream(
                    bits.byteOfNextBit(), "too many length or distance symbols: " + literals + " and " + distances);
        }
        readLengthCode(bits);
        readLengths(bits, literals + distances);
        if (lengths[END_OF_BLOCK] == 0) {
            throw new MalformedStream(bits.byteOfNextBit(), "no code for the end of the block");
        }
        fillBoth(literals, distances, bits.byteOfNextBit());
    }

    /** Builds both tables from {@link #lengths}, where the lengths of distances follow those of literals. */
    private void fillBoth(int literals, int distances, int offset) {
        if (!builder.fill(table, 0, LITERAL_BITS, lengths, 0, literals, LITERAL_SYMBOLS, Incomplete.NONE_OR_ONE_BIT)) {
            throw new MalformedStream(offset, "the literal and length codes are over-subscribed or incomplete");
        }
        if (!builder.fill(
                table,
                DISTANCE_TABLE,
                DISTANCE_BITS,
                lengths,
                literals,
                distances,
                DISTANCE_SYMBOLS,
                Incomplete.NONE_OR_ONE_BIT)) {
            throw new MalformedStream(offset, "the distance codes are over-subscribed or incomplete");
        }
    }

    /** Reads the length code. */
    private void readLengthCode(Bits bits) {
        int count = bits.take(4) + 4;
        Arrays.fill(lengths, 0, LENGTH_CODE_ORDER.length, (byte) 0);
        for (int i = 0; i < count; i++) {
            lengths[LENGTH_CODE_ORDER[i]] = (byte) bits.take(3);
        }
        if (!builder.fill(
                lengthCode,
                0,
                LENGTH_CODE_BITS,
                lengths,
                0,
                LENGTH_CODE_ORDER.length,
                LENGTH_CODE_SYMBOLS,
                Incomplete.REFUSED)) {
            throw new MalformedStream(
                    bits.byteOfNextBit(), "the codes of code lengths are over-subscribed or incomplete");
        }
    }

    /** Reads {@code count} code lengths. The symbol 16 repeats the last length, 17 and 18 repeat 0. */
    private void readLengths(Bits bits, int count) {
        int i = 0;
        while (i < count) {
            if (bits.count < LENGTH_CODE_BITS) {
                bits.refill();
            }
            int entry = lengthCode[(int) bits.word & (1 << LENGTH_CODE_BITS) - 1];
            bits.skip(entry & 15); // the number of the code's bits
            int symbol = entry >>> 16;
            if (symbol < 16) {
                lengths[i++] = (byte) symbol;
                continue;
            }
            int repeats = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
            if (repeats > count - i || symbol == 16 && i == 0) {
                throw new MalformedStream(
                        bits.byteOfNextBit(), "a code length repeats a missing one, or past the last symbol");
            }
            byte repeated = symbol == 16 ? lengths[i - 1] : 0;
            Arrays.fill(lengths, i, i + repeats, repeated);
            i += repeats;
        }
    }
}
