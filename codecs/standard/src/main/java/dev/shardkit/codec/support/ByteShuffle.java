package dev.shardkit.codec.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The byte shuffle of blosc and HDF5: byte k of every element goes to plane k, so that bytes of equal significance are
 * contiguous. Bytes after the last whole element are copied unchanged.
 *
 * <p>Elements of 2, 4 or a multiple of 8 bytes are processed eight at a time: eight bytes of each plane form a
 * {@code long}, and pairs of longs exchange halves, quarters and single bytes ({@link BitMatrix#diff}) until each long
 * holds contiguous output bytes. That takes about one operation for each byte, whereas a byte-wise loop is limited by
 * its stores. Other sizes, and the last elements, are copied byte by byte. Stateless.
 */
public final class ByteShuffle {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    // Masks for BitMatrix.diff: every second group of 8, 16 or 32 bits.
    private static final long EVERY_BYTE = 0x00FF00FF00FF00FFL;
    private static final long EVERY_SHORT = 0x0000FFFF0000FFFFL;
    private static final long EVERY_INT = 0x00000000FFFFFFFFL;

    private ByteShuffle() {}

    /** Shuffles {@code size} bytes. */
    public static void shuffle(int typesize, int size, byte[] in, int inOffset, byte[] out, int outOffset) {
        int count = size / typesize;
        int completed =
                switch (typesize) {
                    case 2 -> shuffle2(count, in, inOffset, out, outOffset);
                    case 4 -> shuffle4(count, in, inOffset, out, outOffset);
                    default -> typesize % 8 == 0 ? shuffle8(typesize, count, in, inOffset, out, outOffset) : 0;
                };
        for (int k = 0; k < typesize; k++) {
            int plane = outOffset + k * count;
            for (int j = completed, from = inOffset + completed * typesize + k; j < count; j++, from += typesize) {
                out[plane + j] = in[from];
            }
        }
        int wholeBytes = count * typesize;
        System.arraycopy(in, inOffset + wholeBytes, out, outOffset + wholeBytes, size - wholeBytes);
    }

    /** Reverses {@link #shuffle}. */
    public static void unshuffle(int typesize, int size, byte[] in, int inOffset, byte[] out, int outOffset) {
        int count = size / typesize;
        unshuffle(typesize, count, 0, count, in, inOffset, out, outOffset);
        int wholeBytes = count * typesize;
        System.arraycopy(in, inOffset + wholeBytes, out, outOffset + wholeBytes, size - wholeBytes);
    }

    /**
     * Reverses {@link #shuffle} for the elements {@code first} to {@code end} (exclusive) of {@code count}. They go to
     * the same positions as in a full unshuffle, and only their bytes of each plane are read.
     */
    public static void unshuffle(
            int typesize, int count, int first, int end, byte[] in, int inOffset, byte[] out, int outOffset) {
        int completed =
                switch (typesize) {
                    case 2 -> unshuffle2(first, end, in, inOffset, in, inOffset + count, out, outOffset);
                    case 4 -> unshuffle4(count, first, end, in, inOffset, out, outOffset);
                    default ->
                        typesize % 8 == 0
                                ? unshuffle8(typesize, count, first, end, in, inOffset, out, outOffset)
                                : first;
                };
        for (int k = 0; k < typesize; k++) {
            int plane = inOffset + k * count;
            for (int j = completed, to = outOffset + completed * typesize + k; j < end; j++, to += typesize) {
                out[to] = in[plane + j];
            }
        }
    }

    /** Reverses {@link #shuffle} of {@code count} elements of 2 bytes, with each plane in an array of its own. */
    public static void unshuffle2(
            int count, byte[] low, int lowAt, byte[] high, int highAt, byte[] out, int outOffset) {
        for (int j = unshuffle2(0, count, low, lowAt, high, highAt, out, outOffset); j < count; j++) {
            out[outOffset + 2 * j] = low[lowAt + j];
            out[outOffset + 2 * j + 1] = high[highAt + j];
        }
    }

    /** Returns the index of the first element after the whole groups of eight. */
    private static int groups(int first, int end) {
        return first + (end - first & ~7);
    }

    /** Unshuffles whole groups of eight elements, and returns the index of the first element after them. */
    private static int unshuffle2(
            int first, int end, byte[] low, int lowAt, byte[] high, int highAt, byte[] out, int outOffset) {
        int groups = groups(first, end);
        for (int j = first; j < groups; j += 8) {
            long a = (long) LONG.get(low, lowAt + j);
            long b = (long) LONG.get(high, highAt + j);
            long t = BitMatrix.diff(a, b, 8, EVERY_BYTE);
            a ^= t << 8;
            b ^= t;
            // now a holds elements 0, 2, 4, 6, and b the others
            t = BitMatrix.diff(a, b, 16, EVERY_SHORT);
            a ^= t << 16;
            b ^= t;
            // now a holds elements 0, 1, 4, 5, and b the others
            t = BitMatrix.diff(a, b, 32, EVERY_INT);
            LONG.set(out, outOffset + 2 * j, a ^ (t << 32));
            LONG.set(out, outOffset + 2 * j + 8, b ^ t);
        }
        return groups;
    }

    /** Reverses the steps of {@code unshuffle2}, and returns the number of elements in whole groups of eight. */
    private static int shuffle2(int count, byte[] in, int inOffset, byte[] out, int outOffset) {
        int groups = count & ~7;
        for (int j = 0; j < groups; j += 8) {
            long a = (long) LONG.get(in, inOffset + 2 * j);
            long b = (long) LONG.get(in, inOffset + 2 * j + 8);
            long t = BitMatrix.diff(a, b, 32, EVERY_INT);
            a ^= t << 32;
            b ^= t;
            t = BitMatrix.diff(a, b, 16, EVERY_SHORT);
            a ^= t << 16;
            b ^= t;
            t = BitMatrix.diff(a, b, 8, EVERY_BYTE);
            LONG.set(out, outOffset + j, a ^ (t << 8));
            LONG.set(out, outOffset + count + j, b ^ t);
        }
        return groups;
    }

    /** Unshuffles whole groups of eight elements, and returns the index of the first element after them. */
    private static int unshuffle4(int count, int first, int end, byte[] in, int inOffset, byte[] out, int outOffset) {
        int groups = groups(first, end);
        for (int j = first; j < groups; j += 8) {
            long a = (long) LONG.get(in, inOffset + j);
            long b = (long) LONG.get(in, inOffset + count + j);
            long c = (long) LONG.get(in, inOffset + 2 * count + j);
            long d = (long) LONG.get(in, inOffset + 3 * count + j);
            long t = BitMatrix.diff(a, b, 8, EVERY_BYTE);
            a ^= t << 8;
            b ^= t;
            t = BitMatrix.diff(c, d, 8, EVERY_BYTE);
            c ^= t << 8;
            d ^= t;
            t = BitMatrix.diff(a, c, 16, EVERY_SHORT);
            a ^= t << 16;
            c ^= t;
            t = BitMatrix.diff(b, d, 16, EVERY_SHORT);
            b ^= t << 16;
            d ^= t;
            // now a holds elements 0 and 4, b 1 and 5, c 2 and 6, d 3 and 7
            t = BitMatrix.diff(a, b, 32, EVERY_INT);
            LONG.set(out, outOffset + 4 * j, a ^ (t << 32));
            LONG.set(out, outOffset + 4 * j + 16, b ^ t);
            t = BitMatrix.diff(c, d, 32, EVERY_INT);
            LONG.set(out, outOffset + 4 * j + 8, c ^ (t << 32));
            LONG.set(out, outOffset + 4 * j + 24, d ^ t);
        }
        return groups;
    }

    /** Reverses the steps of {@code unshuffle4}, and returns the number of elements in whole groups of eight. */
    private static int shuffle4(int count, byte[] in, int inOffset, byte[] out, int outOffset) {
        int groups = count & ~7;
        for (int j = 0; j < groups; j += 8) {
            long a = (long) LONG.get(in, inOffset + 4 * j);
            long b = (long) LONG.get(in, inOffset + 4 * j + 16);
            long c = (long) LONG.get(in, inOffset + 4 * j + 8);
            long d = (long) LONG.get(in, inOffset + 4 * j + 24);
            long t = BitMatrix.diff(a, b, 32, EVERY_INT);
            a ^= t << 32;
            b ^= t;
            t = BitMatrix.diff(c, d, 32, EVERY_INT);
            c ^= t << 32;
            d ^= t;
            t = BitMatrix.diff(a, c, 16, EVERY_SHORT);
            a ^= t << 16;
            c ^= t;
            t = BitMatrix.diff(b, d, 16, EVERY_SHORT);
            b ^= t << 16;
            d ^= t;
            t = BitMatrix.diff(a, b, 8, EVERY_BYTE);
            LONG.set(out, outOffset + j, a ^ (t << 8));
            LONG.set(out, outOffset + count + j, b ^ t);
            t = BitMatrix.diff(c, d, 8, EVERY_BYTE);
            LONG.set(out, outOffset + 2 * count + j, c ^ (t << 8));
            LONG.set(out, outOffset + 3 * count + j, d ^ t);
        }
        return groups;
    }

    /** Unshuffles elements of 8 bytes and multiples of 8, eight planes at a time. */
    private static int unshuffle8(
            int typesize, int count, int first, int end, byte[] in, int inOffset, byte[] out, int outOffset) {
        int groups = groups(first, end);
        for (int k = 0; k < typesize; k += 8) {
            for (int j = first; j < groups; j += 8) {
                transpose(in, inOffset + k * count + j, count, out, outOffset + typesize * j + k, typesize);
            }
        }
        return groups;
    }

    private static int shuffle8(int typesize, int count, byte[] in, int inOffset, byte[] out, int outOffset) {
        int groups = count & ~7;
        for (int k = 0; k < typesize; k += 8) {
            for (int j = 0; j < groups; j += 8) {
                transpose(in, inOffset + typesize * j + k, typesize, out, outOffset + k * count + j, count);
            }
        }
        return groups;
    }

    /** Transposes 8 rows of 8 bytes; {@code inStep} and {@code outStep} are the distances between rows. */
    private static void transpose(byte[] in, int inOffset, int inStep, byte[] out, int outOffset, int outStep) {
        long a = (long) LONG.get(in, inOffset);
        long b = (long) LONG.get(in, inOffset + inStep);
        long c = (long) LONG.get(in, inOffset + 2 * inStep);
        long d = (long) LONG.get(in, inOffset + 3 * inStep);
        long e = (long) LONG.get(in, inOffset + 4 * inStep);
        long f = (long) LONG.get(in, inOffset + 5 * inStep);
        long g = (long) LONG.get(in, inOffset + 6 * inStep);
        long h = (long) LONG.get(in, inOffset + 7 * inStep);
        BitMatrix.storeBytes(a, b, c, d, e, f, g, h, out, outOffset, outStep);
    }
}
