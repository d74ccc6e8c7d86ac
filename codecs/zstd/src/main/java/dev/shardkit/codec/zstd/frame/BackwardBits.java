package dev.shardkit.codec.zstd.frame;

import dev.shardkit.spi.kernel.Words;

/**
 * Bit streams that are read from their end towards their start; above the first bit stands a one, and zeros up to the
 * byte (RFC 8878, section 4.1). Every such stream has eight bytes or more of the frame in front of it, so that words
 * are loaded without a look at where it starts: what comes from before it is told by the count of bits, which goes
 * below 0. Stateless.
 */
final class BackwardBits {
    private BackwardBits() {}

    /** How many bits there are in front of the mark. */
    static int count(byte[] in, int from, int to) {
        int last = from < to ? in[to - 1] & 0xff : 0;
        if (last == 0) {
            throw new Malformed(
                    from, "expected a bit stream that ends with a one bit, found " + (from < to ? "none" : "nothing"));
        }
        return 8 * (to - from) - (Integer.numberOfLeadingZeros(last) - 23);
    }

    /**
     * The word whose highest bits are those below bit {@code at} of the stream that starts at {@code from}: 57 of them
     * at least.
     */
    static long word(byte[] in, int from, int at) {
        return Words.int64(in, from - 8 + (at + 7 >> 3)) << (-at & 7);
    }

    /** {@code n} bits from bit {@code at} upwards, at most 16. */
    static int read(byte[] in, int from, int at, int n) {
        return (int) (word(in, from, at + n) >>> 1 >>> ~n);
    }
}
