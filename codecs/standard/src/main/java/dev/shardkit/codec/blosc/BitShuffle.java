package dev.shardkit.codec.blosc;

import dev.shardkit.codec.support.BitMatrix;
import dev.shardkit.codec.support.ByteShuffle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bit shuffle of blosc 1: bit b of byte k of every element goes to bit row 8k+b, least significant bit first. As in
 * c-blosc 1, a block is not shuffled at all if its number of whole elements is not a multiple of 8.
 *
 * <p>Shuffling has two steps: the byte shuffle makes a plane of each byte k, then each plane becomes 8 bit rows.
 * Unshuffling reverses them. Both need a second buffer of the block's size for the planes.
 */
final class BitShuffle {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private BitShuffle() {}

    /** Returns whether a block of this size is shuffled. */
    static boolean applies(int typesize, int size) {
        return size / typesize % 8 == 0;
    }

    /** Shuffles {@code size} bytes; uses {@code planes}, which must have the same size, as a buffer. */
    static void shuffle(int typesize, int size, byte[] in, int inOffset, byte[] planes, byte[] out, int outOffset) {
        if (!applies(typesize, size)) {
            System.arraycopy(in, inOffset, out, outOffset, size);
            return;
        }
        int count = size / typesize;
        if (typesize == 1) {
            toRows(count / 8, in, inOffset, out, outOffset);
            return;
        }
        ByteShuffle.shuffle(typesize, size, in, inOffset, planes, 0);
        for (int k = 0; k < typesize; k++) {
            toRows(count / 8, planes, k * count, out, outOffset + k * count);
        }
        int wholeBytes = count * typesize;
        System.arraycopy(in, inOffset + wholeBytes, out, outOffset + wholeBytes, size - wholeBytes);
    }

    /** Reverses {@link #shuffle}. */
    static void unshuffle(int typesize, int size, byte[] in, int inOffset, byte[] planes, byte[] out, int outOffset) {
        if (!applies(typesize, size)) {
            System.arraycopy(in, inOffset, out, outOffset, size);
            return;
        }
        int count = size / typesize;
        if (typesize == 1) {
            fromRows(count / 8, in, inOffset, out, outOffset);
            return;
        }
        for (int k = 0; k < typesize; k++) {
            fromRows(count / 8, in, inOffset + k * count, planes, k * count);
        }
        int wholeBytes = count * typesize;
        ByteShuffle.unshuffle(typesize, wholeBytes, planes, 0, out, outOffset);
        System.arraycopy(in, inOffset + wholeBytes, out, outOffset + wholeBytes, size - wholeBytes);
    }

    /** Converts a plane of {@code 8 * rowSize} bytes to 8 rows of {@code rowSize} bytes, one for each bit. */
    private static void toRows(int rowSize, byte[] in, int inOffset, byte[] out, int outOffset) {
        int g = 0; // the index of a group of 8 bytes in the plane, and of a byte in each row
        for (; g + 8 <= rowSize; g += 8) {
            toRows64(rowSize, in, inOffset + 8 * g, out, outOffset + g);
        }
        for (; g < rowSize; g++) {
            long x = BitMatrix.bits((long) LONG.get(in, inOffset + 8 * g));
            for (int b = 0; b < 8; b++) {
                out[outOffset + b * rowSize + g] = (byte) (x >>> 8 * b);
            }
        }
    }

    /** Reverses {@link #toRows}. */
    private static void fromRows(int rowSize, byte[] in, int inOffset, byte[] out, int outOffset) {
        int g = 0;
        for (; g + 8 <= rowSize; g += 8) {
            fromRows64(rowSize, in, inOffset + g, out, outOffset + 8 * g);
        }
        for (; g < rowSize; g++) {
            long x = 0;
            for (int b = 0; b < 8; b++) {
                x |= (in[inOffset + b * rowSize + g] & 0xFFL) << 8 * b;
            }
            LONG.set(out, outOffset + 8 * g, BitMatrix.bits(x));
        }
    }

    /**
     * Converts 8 bytes of each of the 8 rows to 64 bytes of the plane. The 8 longs of 8 bytes of 8 bits form a cube,
     * whose axes are exchanged. The first step exchanges the index of the long with that of the bit, in three rounds of
     * 4, 2 and 1 bits. The second step, storing the bytes, exchanges the index of the long with that of the byte.
     */
    private static void fromRows64(int rowSize, byte[] in, int inOffset, byte[] out, int outOffset) {
        long a = (long) LONG.get(in, inOffset);
        long b = (long) LONG.get(in, inOffset + rowSize);
        long c = (long) LONG.get(in, inOffset + 2 * rowSize);
        long d = (long) LONG.get(in, inOffset + 3 * rowSize);
        long e = (long) LONG.get(in, inOffset + 4 * rowSize);
        long f = (long) LONG.get(in, inOffset + 5 * rowSize);
        long g = (long) LONG.get(in, inOffset + 6 * rowSize);
        long h = (long) LONG.get(in, inOffset + 7 * rowSize);
        long t;
        t = BitMatrix.diff(a, e, 4, 0x0F0F0F0F0F0F0F0FL);
        a ^= t << 4;
        e ^= t;
        t = BitMatrix.diff(b, f, 4, 0x0F0F0F0F0F0F0F0FL);
        b ^= t << 4;
        f ^= t;
        t = BitMatrix.diff(c, g, 4, 0x0F0F0F0F0F0F0F0FL);
        c ^= t << 4;
        g ^= t;
        t = BitMatrix.diff(d, h, 4, 0x0F0F0F0F0F0F0F0FL);
        d ^= t << 4;
        h ^= t;
        t = BitMatrix.diff(a, c, 2, 0x3333333333333333L);
        a ^= t << 2;
        c ^= t;
        t = BitMatrix.diff(b, d, 2, 0x3333333333333333L);
        b ^= t << 2;
        d ^= t;
        t = BitMatrix.diff(e, g, 2, 0x3333333333333333L);
        e ^= t << 2;
        g ^= t;
        t = BitMatrix.diff(f, h, 2, 0x3333333333333333L);
        f ^= t << 2;
        h ^= t;
        t = BitMatrix.diff(a, b, 1, 0x5555555555555555L);
        a ^= t << 1;
        b ^= t;
        t = BitMatrix.diff(c, d, 1, 0x5555555555555555L);
        c ^= t << 1;
        d ^= t;
        t = BitMatrix.diff(e, f, 1, 0x5555555555555555L);
        e ^= t << 1;
        f ^= t;
        t = BitMatrix.diff(g, h, 1, 0x5555555555555555L);
        g ^= t << 1;
        h ^= t;
        BitMatrix.storeBytes(a, b, c, d, e, f, g, h, out, outOffset, 8);
    }

    /** The inverse of {@link #fromRows64}: exchanges bit and byte inside each long, then long and byte. */
    private static void toRows64(int rowSize, byte[] in, int inOffset, byte[] out, int outOffset) {
        BitMatrix.storeBytes(
                BitMatrix.bits((long) LONG.get(in, inOffset)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 8)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 16)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 24)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 32)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 40)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 48)),
                BitMatrix.bits((long) LONG.get(in, inOffset + 56)),
                out,
                outOffset,
                rowSize);
    }
}
