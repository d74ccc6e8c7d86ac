package dev.shardkit.codec.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Transposes small matrices of bits or bytes in {@code long}s: the steps of the bit and byte shuffles. Stateless. */
public final class BitMatrix {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private BitMatrix() {}

    /**
     * Returns in which of the masked bits {@code a >>> shift} and {@code b} differ. With this difference t, the caller
     * exchanges these bits: {@code a ^= t << shift; b ^= t}.
     */
    public static long diff(long a, long b, int shift, long mask) {
        return ((a >>> shift) ^ b) & mask;
    }

    /** Transposes the 8 x 8 bits of a long: bit i of byte j becomes bit j of byte i. */
    public static long bits(long x) {
        long t = (x ^ (x >>> 7)) & 0x00AA00AA00AA00AAL;
        x ^= t ^ (t << 7);
        t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
        x ^= t ^ (t << 14);
        t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
        return x ^ t ^ (t << 28);
    }

    /** Transposes 8 rows of 8 bytes each and stores the new rows {@code step} bytes apart. */
    public static void storeBytes(
            long a, long b, long c, long d, long e, long f, long g, long h, byte[] out, int offset, int step) {
        long t;
        t = diff(a, e, 32, 0x00000000FFFFFFFFL);
        a ^= t << 32;
        e ^= t;
        t = diff(b, f, 32, 0x00000000FFFFFFFFL);
        b ^= t << 32;
        f ^= t;
        t = diff(c, g, 32, 0x00000000FFFFFFFFL);
        c ^= t << 32;
        g ^= t;
        t = diff(d, h, 32, 0x00000000FFFFFFFFL);
        d ^= t << 32;
        h ^= t;
        t = diff(a, c, 16, 0x0000FFFF0000FFFFL);
        a ^= t << 16;
        c ^= t;
        t = diff(b, d, 16, 0x0000FFFF0000FFFFL);
        b ^= t << 16;
        d ^= t;
        t = diff(e, g, 16, 0x0000FFFF0000FFFFL);
        e ^= t << 16;
        g ^= t;
        t = diff(f, h, 16, 0x0000FFFF0000FFFFL);
        f ^= t << 16;
        h ^= t;
        t = diff(a, b, 8, 0x00FF00FF00FF00FFL);
        a ^= t << 8;
        b ^= t;
        t = diff(c, d, 8, 0x00FF00FF00FF00FFL);
        c ^= t << 8;
        d ^= t;
        t = diff(e, f, 8, 0x00FF00FF00FF00FFL);
        e ^= t << 8;
        f ^= t;
        t = diff(g, h, 8, 0x00FF00FF00FF00FFL);
        g ^= t << 8;
        h ^= t;
        LONG.set(out, offset, a);
        LONG.set(out, offset + step, b);
        LONG.set(out, offset + 2 * step, c);
        LONG.set(out, offset + 3 * step, d);
        LONG.set(out, offset + 4 * step, e);
        LONG.set(out, offset + 5 * step, f);
        LONG.set(out, offset + 6 * step, g);
        LONG.set(out, offset + 7 * step, h);
    }
}
