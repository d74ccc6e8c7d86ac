package dev.shardkit.spi.bytes;

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
    public static int of(byte[] bytes, int from, int to, int seed) {
        int remaining = to - from;
        int a = 0xdeadbeef + remaining + seed;
        int b = a;
        int c = a;
        int position = from;
        while (remaining > 12) {
            a += word(bytes, position, 4);
            b += word(bytes, position + 4, 4);
            c += word(bytes, position + 8, 4);
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
            position += 12;
            remaining -= 12;
        }
        if (remaining == 0) {
            return c;
        }
        a += word(bytes, position, remaining);
        b += word(bytes, position + 4, remaining - 4);
        c += word(bytes, position + 8, remaining - 8);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }

    /** Reads up to {@code n} bytes as a little-endian word. */
    private static int word(byte[] bytes, int position, int n) {
        int word = 0;
        for (int i = 0; i < Math.min(4, n); i++) {
            word |= (bytes[position + i] & 0xff) << 8 * i;
        }
        return word;
    }
}
