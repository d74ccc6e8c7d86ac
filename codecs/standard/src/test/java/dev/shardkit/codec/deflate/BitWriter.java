package dev.shardkit.codec.deflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Writes DEFLATE streams bit by bit. */
final class BitWriter {
    /** The order in which the bits of code lengths are written. */
    private static final int[] ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int last;
    private int count;

    /** Writes a number, its lowest bit first. */
    BitWriter bits(int value, int n) {
        for (int i = 0; i < n; i++) {
            last |= (value >> i & 1) << count++;
            if (count == 8) {
                align();
            }
        }
        return this;
    }

    /** Writes a code, its highest bit first. */
    BitWriter code(int code, int n) {
        for (int i = n - 1; i >= 0; i--) {
            bits(code >> i, 1);
        }
        return this;
    }

    /** Fills the current byte with zeros. */
    BitWriter align() {
        if (count > 0) {
            bytes.write(last);
        }
        last = 0;
        count = 0;
        return this;
    }

    /** Writes the codes of a dynamic block; the code of code lengths has 4 bits for each length and no repeats. */
    BitWriter codes(int[] literals, int[] distances) {
        int[] four = new int[19];
        Arrays.fill(four, 0, 16, 4);
        lengthCode(literals.length, distances.length, four);
        for (int[] lengths : new int[][] {literals, distances}) {
            for (int length : lengths) {
                code(length, 4);
            }
        }
        return this;
    }

    /** Writes the sizes and the code of code lengths of a dynamic block. */
    BitWriter lengthCode(int literals, int distances, int[] lengths) {
        bits(literals - 257, 5).bits(distances - 1, 5).bits(19 - 4, 4);
        for (int i : ORDER) {
            bits(lengths[i], 3);
        }
        return this;
    }

    byte[] bytes() {
        align();
        return bytes.toByteArray();
    }
}
