package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.spi.bytes.Words;

/**
 * Reads the bit streams of zstd, which are decoded from their end to their start. A one bit marks the end, followed by
 * zeros up to a whole byte (RFC 8878, section 4.1). At least eight bytes of the frame precede every such stream, so
 * words are loaded without a bounds check. Callers keep the number of remaining bits; if it becomes negative, they have
 * read bits from before the start. Stateless.
 */
public final class BackwardBits {
    private BackwardBits() {}

    /** Returns the number of bits before the mark. */
    public static int count(byte[] in, int from, int to) {
        int last = from < to ? in[to - 1] & 0xff : 0;
        if (last == 0) {
            throw new MalformedFrame(
                    from, "expected a bit stream that ends with a one bit, found " + (from < to ? "none" : "nothing"));
        }
        return 8 * (to - from) - (Integer.numberOfLeadingZeros(last) - 23);
    }

    /**
     * Returns a word whose highest bits are those below bit {@code offset} of the stream that starts at {@code from}:
     * at least 57 of them.
     */
    public static long word(byte[] in, int from, int offset) {
        return Words.int64(in, from - 8 + (offset + 7 >> 3)) << (-offset & 7);
    }

    /** Returns {@code n} bits from bit {@code offset} upwards, at most 16. */
    public static int read(byte[] in, int from, int offset, int n) {
        return (int) (word(in, from, offset + n) >>> 1 >>> ~n); // a shift by 64 - n, also if n is 0
    }
}
