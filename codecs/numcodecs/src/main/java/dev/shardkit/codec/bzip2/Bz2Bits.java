package dev.shardkit.codec.bzip2;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.error.CorruptDataException;

/** Reads bits of a bzip2 stream, the highest of each byte first. Not thread-safe. */
final class Bz2Bits {
    /** The maximum number of bits of one call: the length of the format's markers. */
    static final int MAX = 48;

    private final byte[] array;
    private final int from;
    private final int to;
    /** The index of the next byte to load; it may be after the end. */
    private int next;
    /** Its lowest {@link #bitCount} bits were loaded, but not consumed. */
    private long buffer;

    private int bitCount;

    Bz2Bits(HeapBytes in) {
        this.array = in.array();
        this.from = in.from();
        this.to = in.to();
        this.next = from;
    }

    /** Returns the next {@code n} bits without consuming them; zeros stand for bits after the end. */
    long peek(int n) {
        while (bitCount < n) {
            buffer = buffer << Byte.SIZE | (next < to ? array[next] & 0xff : 0);
            next++;
            bitCount += Byte.SIZE;
        }
        return buffer >>> (bitCount - n) & (1L << n) - 1;
    }

    /** Consumes {@code n} bits that {@link #peek} has returned. */
    void skip(int n) {
        bitCount -= n;
        if (next - bitCount / Byte.SIZE > to) {
            throw new CorruptDataException(Bz2Codec.NAME + ": expected more bytes, found the end after " + (to - from));
        }
    }

    long read(int n) {
        long bits = peek(n);
        skip(n);
        return bits;
    }

    int bit() {
        return (int) read(1);
    }

    /** Skips the rest of a byte that was read in part. */
    void align() {
        bitCount -= bitCount % Byte.SIZE;
    }

    /** Returns the number of bytes of which at least one bit was consumed. */
    int position() {
        return next - bitCount / Byte.SIZE - from;
    }

    boolean isAtEnd() {
        return position() >= to - from;
    }
}
