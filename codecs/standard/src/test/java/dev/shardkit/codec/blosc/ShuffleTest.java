package dev.shardkit.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.codec.support.ByteShuffle;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The filters against their definitions. */
class ShuffleTest {
    private static final int[] TYPESIZES = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 32, 255};
    private static final int[] COUNTS = {0, 1, 7, 8, 9, 16, 63, 64, 65, 72, 128, 200, 513, 1024};

    @Test
    void byteShuffle_isTheTranspose() {
        Random random = new Random(1);
        for (int typesize : TYPESIZES) {
            for (int count : COUNTS) {
                byte[] in = bytes(random, count * typesize + random.nextInt(typesize));
                byte[] expected = in.clone();
                for (int j = 0; j < count; j++) {
                    for (int k = 0; k < typesize; k++) {
                        expected[k * count + j] = in[j * typesize + k];
                    }
                }
                byte[] out = new byte[in.length + 5];
                ByteShuffle.shuffle(typesize, in.length, in, 0, out, 5);
                String what = typesize + " x " + count;
                assertArrayEquals(expected, java.util.Arrays.copyOfRange(out, 5, out.length), what);
                byte[] back = new byte[in.length];
                ByteShuffle.unshuffle(typesize, in.length, out, 5, back, 0);
                assertArrayEquals(in, back, what);
            }
        }
    }

    @Test
    void planesOfPairs_mayLieApart() {
        Random random = new Random(3);
        for (int count : COUNTS) {
            byte[] low = bytes(random, count + 3);
            byte[] high = bytes(random, count + 2);
            byte[] expected = new byte[2 * count];
            for (int j = 0; j < count; j++) {
                expected[2 * j] = low[3 + j];
                expected[2 * j + 1] = high[2 + j];
            }
            byte[] out = new byte[2 * count + 1];
            ByteShuffle.unshuffle2(count, low, 3, high, 2, out, 1);
            assertArrayEquals(expected, java.util.Arrays.copyOfRange(out, 1, out.length), "2 x " + count);
        }
    }

    @Test
    void bitShuffle_isTheTransposeOfBits() {
        Random random = new Random(2);
        for (int typesize : TYPESIZES) {
            for (int count : COUNTS) {
                byte[] in = bytes(random, count * typesize + random.nextInt(typesize));
                byte[] expected = count % 8 == 0 ? bitsTransposed(in, count, typesize) : in;
                byte[] out = new byte[in.length + 3];
                byte[] planes = new byte[in.length];
                BitShuffle.shuffle(typesize, in.length, in, 0, planes, out, 3);
                String what = typesize + " x " + count;
                assertArrayEquals(expected, java.util.Arrays.copyOfRange(out, 3, out.length), what);
                byte[] back = new byte[in.length];
                BitShuffle.unshuffle(typesize, in.length, out, 3, planes, back, 0);
                assertArrayEquals(in, back, what);
            }
        }
    }

    private static byte[] bitsTransposed(byte[] in, int count, int typesize) {
        byte[] out = in.clone();
        java.util.Arrays.fill(out, 0, count * typesize, (byte) 0);
        for (int j = 0; j < count; j++) {
            for (int bit = 0; bit < 8 * typesize; bit++) {
                int value = in[j * typesize + bit / 8] >> bit % 8 & 1;
                out[bit * (count / 8) + j / 8] |= (byte) (value << j % 8);
            }
        }
        return out;
    }

    private static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }
}
