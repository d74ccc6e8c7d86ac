package dev.shardkit.codec.deflate;

import java.util.Arrays;

/**
 * Builds tables that decode Huffman codes (RFC 1951, section 3.2.2). Reused; not thread-safe.
 *
 * <p>The next bits of the stream index the first part of a table. Codes that are longer than this index continue in
 * subtables, which follow the first part. An entry is an int:
 *
 * <ul>
 *   <li>bits 0 to 5: the number of bits to skip: those of the code (or of its part that indexes this table) and the
 *       extra bits of a length or distance,
 *   <li>bits 8 to 11: the number of bits before the extra bits; if the entry refers to a subtable, the number of bits
 *       that index the subtable,
 *   <li>bits 13 to 15: {@link #END}, {@link #SUBTABLE}, and {@link #SPECIAL}, which is set for these two and for
 *       invalid codes,
 *   <li>bits 16 to 30: the literal, or the smallest length or distance, or the index of the subtable,
 *   <li>bit 31, the sign: set for literals.
 * </ul>
 */
final class CodeTable {
    /** The largest number of bits of a code. */
    static final int MAX_BITS = 15;

    /** Set for the end of a block. */
    static final int END = 1 << 13;
    /** Set for entries that refer to a subtable. */
    static final int SUBTABLE = 1 << 14;
    /** Set for entries that are no literal, length or distance. */
    static final int SPECIAL = 1 << 15;
    /** Set for literals. */
    static final int LITERAL = 1 << 31;

    /** Added to an entry for each bit of its code: one more bit to skip, and one more before the extra bits. */
    private static final int CODE_BIT = 0x0101;

    private static final int MAX_SYMBOLS = 288;

    /** The number of codes of each length; at index 0, of symbols without a code. */
    private final int[] counts = new int[MAX_BITS + 1];
    /** For each length, the next free index in {@link #sorted}. */
    private final int[] nextIndex = new int[MAX_BITS + 2];
    /** The symbols that have a code, in the order of their codes. */
    private final short[] sorted = new short[MAX_SYMBOLS];

    /** Which incomplete codes are accepted. */
    enum Incomplete {
        /** None. */
        REFUSED,
        /** No code at all, and a single code of one bit (RFC 1951, section 3.2.7); the other codes are invalid. */
        NONE_OR_ONE_BIT
    }

    /**
     * Fills the table that begins at {@code start} with the codes of the given lengths.
     *
     * @param bits the number of bits that index the first part of the table
     * @param lengths has, from index {@code from} on, the number of bits of each symbol's code; 0 for no code
     * @param n the number of symbols
     * @param symbols the entry of each symbol, to which the bits of its code are added
     * @return false if no code has these lengths, or only one that {@code incomplete} does not accept
     */
    boolean fill(
            int[] table, int start, int bits, byte[] lengths, int from, int n, int[] symbols, Incomplete incomplete) {
        int unused = count(lengths, from, n);
        int coded = n - counts[0];
        boolean atMostOneBit = coded == 0 || coded == 1 && counts[1] == 1;
        if (unused < 0 || unused > 0 && !(atMostOneBit && incomplete == Incomplete.NONE_OR_ONE_BIT)) {
            return false;
        }
        sort(lengths, from, n);
        fillFirst(table, start, bits, symbols);
        fillSubtables(table, start, bits, coded, symbols);
        return true;
    }

    /**
     * Counts the codes of each length. Returns how many codes of {@link #MAX_BITS} bits would still be free; negative
     * if there are too many codes.
     */
    private int count(byte[] lengths, int from, int n) {
        Arrays.fill(counts, 0);
        for (int i = from; i < from + n; i++) {
            counts[lengths[i]]++;
        }
        int unused = 1 << MAX_BITS;
        for (int length = 1; length <= MAX_BITS; length++) {
            unused -= counts[length] << MAX_BITS - length;
        }
        return unused;
    }

    /** Sorts the symbols that have a code by its length. */
    private void sort(byte[] lengths, int from, int n) {
        nextIndex[1] = 0;
        for (int length = 1; length <= MAX_BITS; length++) {
            nextIndex[length + 1] = nextIndex[length] + counts[length];
        }
        for (int i = 0; i < n; i++) {
            int length = lengths[from + i];
            if (length != 0) {
                sorted[nextIndex[length]++] = (short) i;
            }
        }
    }

    /** Fills in the short codes: doubles the table for each bit, then adds the codes of that many bits. */
    private void fillFirst(int[] table, int start, int bits, int[] symbols) {
        table[start] = SPECIAL; // doubling copies this mark to all entries without a code, which keep it
        int code = 0;
        int i = 0;
        for (int length = 1; length <= bits; length++) {
            int half = 1 << length - 1;
            System.arraycopy(table, start, table, start + half, half);
            code <<= 1;
            for (int end = i + counts[length]; i < end; i++) {
                table[start + reversed(code++, length)] = symbols[sorted[i]] + length * CODE_BIT;
            }
        }
    }

    /** Fills in the codes of more than {@code bits} bits; those with the same first bits share a subtable. */
    private void fillSubtables(int[] table, int start, int bits, int coded, int[] symbols) {
        int i = 0;
        int code = 0;
        // step over the short codes
        for (int length = 1; length <= bits; length++) {
            code = code + counts[length] << 1;
            i += counts[length];
        }
        int subtable = start + (1 << bits);
        int size = 0;
        int prefix = -1;
        for (int length = bits + 1; i < coded; length++) {
            for (int remaining = counts[length]; remaining > 0; remaining--) {
                int index = reversed(code, length);
                if ((index & (1 << bits) - 1) != prefix) {
                    prefix = index & (1 << bits) - 1;
                    subtable += size;
                    int indexBits = subtableBits(length, bits, remaining);
                    size = 1 << indexBits;
                    table[start + prefix] = SPECIAL | SUBTABLE | subtable << 16 | indexBits << 8 | bits;
                }
                int entry = symbols[sorted[i++]] + (length - bits) * CODE_BIT;
                for (int k = index >>> bits; k < size; k += 1 << length - bits) {
                    table[subtable + k] = entry;
                }
                code++;
            }
            code <<= 1;
        }
    }

    /**
     * Returns how many bits index the subtable that begins with a code of {@code length} bits.
     *
     * @param remaining the number of codes of this length, from the first code of the subtable on
     */
    private int subtableBits(int length, int bits, int remaining) {
        int indexBits = length - bits;
        int codeCount = remaining;
        while (codeCount < 1 << indexBits) { // ends when the codes fill the subtable, because the code is complete
            indexBits++;
            codeCount = 2 * codeCount + counts[bits + indexBits];
        }
        return indexBits;
    }

    /** Returns a code in the order of the stream, its first bit lowest. */
    private static int reversed(int code, int length) {
        return Integer.reverse(code) >>> 32 - length;
    }
}
