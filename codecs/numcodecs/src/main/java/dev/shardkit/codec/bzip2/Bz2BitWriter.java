package dev.shardkit.codec.bzip2;

import java.io.ByteArrayOutputStream;

/** Writes bits of a bzip2 stream, the highest of each byte first. Not thread-safe. */
final class Bz2BitWriter {
    private final ByteArrayOutputStream out;
    /** Bits that do not fill a byte yet are its lowest {@link #bitCount} bits. */
    private long buffer;

    private int bitCount;

    Bz2BitWriter(int expectedSize) {
        this.out = new ByteArrayOutputStream(expectedSize);
    }

    /** Appends the lowest {@code n} bits, at most 48: the length of the format's markers. */
    void write(int n, long bits) {
        buffer = buffer << n | bits & (1L << n) - 1;
        bitCount += n;
        while (bitCount >= Byte.SIZE) {
            bitCount -= Byte.SIZE;
            out.write((int) (buffer >>> bitCount));
        }
    }

    /** Fills the last byte with zeros and returns all bytes. */
    byte[] finish() {
        write((Byte.SIZE - bitCount) % Byte.SIZE, 0);
        return out.toByteArray();
    }
}
