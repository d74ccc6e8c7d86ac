package dev.shardkit.codec.deflate;

import dev.shardkit.spi.bytes.Words;

/**
 * The bits of a stream, the lowest bit of each byte first (RFC 1951, section 3.1.1). Never reads outside its range.
 * Reused; not thread-safe.
 *
 * <p>The lowest {@code count} bits of {@code word} are the next bits of the stream. The bits above them are zero, or
 * already equal the bits that follow, so a refill may OR them in again. {@link DeflateBlockDecoder} keeps the fields in
 * variables while it is in its loop.
 */
final class Bits {
    /** The minimum number of bits after a refill, unless the stream ends. */
    static final int REFILLED = 56;

    private static final byte[] NOTHING = {};

    byte[] in = NOTHING;
    /** The index of the next byte to load. */
    int position;
    /** The end of the input. */
    int limit;

    /** The loaded bits, the next one lowest. */
    long word;
    /** The number of valid bits in {@link #word}. */
    int count;

    /** Begins a stream. */
    void open(byte[] array, int from, int end) {
        in = array;
        position = from;
        limit = end;
        word = 0;
        count = 0;
    }

    /** Releases the array. */
    void close() {
        open(NOTHING, 0, 0);
    }

    /** Loads bits until there are {@link #REFILLED} or more, or the input ends. */
    void refill() {
        if (limit - position >= Long.BYTES) {
            // Loads whole bytes until 56 to 63 bits are valid. This adds a multiple of 8 to count, whose three lowest
            // bits stay, so an OR with 56 is enough.
            word |= Words.int64(in, position) << count;
            position += 63 - count >> 3;
            count |= REFILLED;
            return;
        }
        while (count < REFILLED && position < limit) {
            word |= (in[position++] & 0xffL) << count;
            count += 8;
        }
    }

    /** Returns the next {@code n} bits, up to 16, as a number. */
    int take(int n) {
        if (count < n) {
            refill();
        }
        int value = (int) word & (1 << n) - 1;
        skip(n);
        return value;
    }

    /** Skips {@code n} loaded bits. */
    void skip(int n) {
        count -= n;
        if (count < 0) {
            throw endsEarly();
        }
        word >>>= n;
    }

    /**
     * Skips the rest of the current byte and gives loaded bytes back to the input. Then {@link #position} is the index
     * of the byte after the current one.
     */
    void align() {
        position -= count >> 3;
        word = 0;
        count = 0;
    }

    /** Returns the index of the byte that holds the next bit. */
    int byteOfNextBit() {
        return position - (count + 7 >> 3);
    }

    /** Creates the error for a stream whose end is missing. */
    MalformedStream endsEarly() {
        return new MalformedStream(limit, "the stream ends early");
    }
}
