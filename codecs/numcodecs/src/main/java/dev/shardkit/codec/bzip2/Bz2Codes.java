package dev.shardkit.codec.bzip2;

/**
 * A table for decoding the canonical Huffman codes of a bzip2 block. Codes of equal length are consecutive numbers.
 * Immutable after {@link #read}.
 */
final class Bz2Codes {
    /** For each length, the first number above its codes, left-aligned to {@link Bz2Format#LONGEST_CODE} bits. */
    private final int[] ends = new int[Bz2Format.LONGEST_CODE + 1];
    /** For each length, the difference between a symbol's index in {@link #symbols} and its code. */
    private final int[] offsets = new int[Bz2Format.LONGEST_CODE + 1];

    /** The symbols in the order of their codes. */
    private final int[] symbols;

    private Bz2Codes(int[] lengths) {
        this.symbols = new int[lengths.length];
        int code = 0;
        int index = 0;
        for (int length = 1; length <= Bz2Format.LONGEST_CODE; length++) {
            code <<= 1;
            offsets[length] = index - code;
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] == length) {
                    symbols[index++] = symbol;
                    code++;
                }
            }
            if (code > 1 << length) {
                throw Bz2Block.malformed("at most " + (1 << length) + " codes of " + length + " bits", "more");
            }
            ends[length] = code << (Bz2Format.LONGEST_CODE - length);
        }
    }

    /** Reads the lengths of the codes, each as the difference to the one before. */
    static Bz2Codes read(Bz2Bits bits, int count) {
        int[] lengths = new int[count];
        int length = (int) bits.read(5);
        for (int i = 0; i < count; i++) {
            while (true) {
                if (length < 1 || length > Bz2Format.LONGEST_CODE) {
                    throw Bz2Block.malformed("a code of 1 to " + Bz2Format.LONGEST_CODE + " bits", length);
                }
                if (bits.bit() == 0) {
                    break;
                }
                length += bits.bit() == 0 ? 1 : -1;
            }
            lengths[i] = length;
        }
        return new Bz2Codes(lengths);
    }

    /** Reads a code and returns its symbol. */
    int next(Bz2Bits bits) {
        int code = (int) bits.peek(Bz2Format.LONGEST_CODE);
        int length = 1;
        while (code >= ends[length]) {
            if (++length > Bz2Format.LONGEST_CODE) {
                throw Bz2Block.malformed("a Huffman code of the table", "an unused one");
            }
        }
        bits.skip(length);
        return symbols[(code >> (Bz2Format.LONGEST_CODE - length)) + offsets[length]];
    }
}
