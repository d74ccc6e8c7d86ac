package dev.shardkit.codec.numcodecs;

import java.io.ByteArrayOutputStream;

/** Writes bits of a bzip2 stream, the highest of each byte first. Not thread-safe. */
final class Bz2Writer {
    private final ByteArrayOutputStream out;
    private long buffer;
    private int live;

    Bz2Writer(int guess) {
        this.out = new ByteArrayOutputStream(guess);
    }

    /** Appends the lowest {@code n} bits, at most 48. */
    void write(int n, long bits) {
        buffer = buffer << n | bits & (1L << n) - 1;
        live += n;
        while (live >= Byte.SIZE) {
            live -= Byte.SIZE;
            out.write((int) (buffer >>> live));
        }
    }

    /** Fills the last byte with zeros and returns all bytes. */
    byte[] finish() {
        write((Byte.SIZE - live) % Byte.SIZE, 0);
        return out.toByteArray();
    }
}
