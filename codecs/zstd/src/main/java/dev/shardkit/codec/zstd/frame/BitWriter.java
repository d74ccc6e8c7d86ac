package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/**
 * Writes bits from the lowest up (RFC 8878, section 4.1). It stores whole words, so that up to {@link #SLACK} bytes
 * behind what is written get overwritten. Used once; made to live in registers.
 */
final class BitWriter {
    /** How many bytes behind the last one are written to. */
    static final int SLACK = 8;

    private final byte[] out;
    private int at;
    private long bits;
    private int n;

    /** Bits that begin at byte {@code at}. */
    BitWriter(byte[] out, int at) {
        this.out = out;
        this.at = at;
    }

    /** Appends the lowest {@code count} bits of {@code value}; up to 56 until {@link #flush}. */
    void add(int value, int count) {
        bits |= (value & (1L << count) - 1) << n;
        n += count;
    }

    /** Stores the whole bytes. */
    void flush() {
        Words.int64(out, at, bits);
        at += n >>> 3;
        bits >>>= n & ~7;
        n &= 7;
    }

    /** Appends the lowest {@code count} bits of {@code value}, at most 32, and stores. */
    void put(int value, int count) {
        add(value, count);
        flush();
    }

    /** Where the next bytes go. */
    int at() {
        return at;
    }

    /** Fills the last byte with zeros; gives where the bits end. */
    int aligned() {
        Words.int64(out, at, bits);
        return at + (n + 7 >>> 3);
    }

    /** Puts the one that marks the end of what is read backwards; gives where the bits end. */
    int marked() {
        put(1, 1);
        return aligned();
    }
}
