package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.spi.bytes.Words;

/**
 * Writes bits from the lowest up (RFC 8878, section 4.1). It stores whole words, so it overwrites up to {@link #SLACK}
 * bytes after the written ones. Used once; so simple that the JIT compiler can keep its fields in registers.
 */
public final class BitWriter {
    /** The number of bytes after the last one that may be overwritten. */
    static final int SLACK = 8;

    private final byte[] out;
    private int position;
    private long bits;
    /** The number of bits that are not stored yet. */
    private int n;

    /** Starts at byte {@code offset}. */
    public BitWriter(byte[] out, int offset) {
        this.out = out;
        this.position = offset;
    }

    /** Appends the lowest {@code count} bits of {@code value}; up to 56 until {@link #flush}. */
    void add(int value, int count) {
        bits |= (value & (1L << count) - 1) << n;
        n += count;
    }

    /** Stores the whole bytes. */
    void flush() {
        Words.int64(out, position, bits);
        position += n >>> 3;
        bits >>>= n & ~7;
        n &= 7;
    }

    /** Appends the lowest {@code count} bits of {@code value}, at most 32, and stores. */
    public void put(int value, int count) {
        add(value, count);
        flush();
    }

    /** Returns the position of the next byte. */
    int position() {
        return position;
    }

    /** Fills the last byte with zeros; returns the position after it. */
    int aligned() {
        Words.int64(out, position, bits);
        return position + (n + 7 >>> 3);
    }

    /** Writes the one bit that marks the end of a stream that is read backwards; returns the position after it. */
    public int marked() {
        put(1, 1);
        return aligned();
    }
}
