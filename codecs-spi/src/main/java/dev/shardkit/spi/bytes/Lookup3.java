package dev.shardkit.spi.bytes;

/**
 * Bob Jenkins' checksum lookup3 (2006), the function {@code hashlittle}. HDF5 protects its metadata with it, and
 * numcodecs has it as a codec. Stateless.
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
            // Mixes the next 12 bytes into the state (mix in Jenkins' code).
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
        // Mixes the last 1 to 12 bytes into the state (final in Jenkins' code).
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

    /** Reads a little-endian word of 4 bytes, or of {@code n} if that is less; 0 if {@code n} is not positive. */
    private static int word(byte[] bytes, int position, int n) {
        int word = 0;
        for (int i = 0; i < Math.min(4, n); i++) {
            word |= (bytes[position + i] & 0xff) << 8 * i;
        }
        return word;
    }
}
