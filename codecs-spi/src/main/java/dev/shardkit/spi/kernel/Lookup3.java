package dev.shardkit.spi.kernel;

/**
 * Bob Jenkins' checksum lookup3 (2006), the function hashlittle: the checksum of HDF5's metadata, and of a codec of
 * numcodecs. Stateless.
 */
public final class Lookup3 {
    private Lookup3() {}

    /**
     * Returns the checksum of a range.
     *
     * @param seed the initial value
     */
    public static int of(byte[] in, int from, int to, int seed) {
        int left = to - from;
        int a = 0xdeadbeef + left + seed;
        int b = a;
        int c = a;
        int at = from;
        while (left > 12) {
            a += word(in, at, 4);
            b += word(in, at + 4, 4);
            c += word(in, at + 8, 4);
            a = (a - c) ^ Integer.rotateLeft(c, 4);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 6);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 8);
            b += a;
            a = (a - c) ^ Integer.rotateLeft(c, 16);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 19);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 4);
            b += a;
            at += 12;
            left -= 12;
        }
        if (left == 0) {
            return c;
        }
        a += word(in, at, left);
        b += word(in, at + 4, left - 4);
        c += word(in, at + 8, left - 8);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }

    /** Reads up to {@code n} bytes as a little-endian word. */
    private static int word(byte[] in, int at, int n) {
        int word = 0;
        for (int i = 0; i < Math.min(4, n); i++) {
            word |= (in[at + i] & 0xff) << 8 * i;
        }
        return word;
    }
}
