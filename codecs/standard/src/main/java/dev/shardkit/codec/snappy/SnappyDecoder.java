package dev.shardkit.codec.snappy;

import dev.shardkit.spi.bytes.MatchCopy;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;

/**
 * Decodes single Snappy blocks (format_description.txt of Snappy) within exact bounds: it never reads or writes outside
 * the two given ranges, and allocates nothing. Does not support the framing format. Stateless.
 *
 * <p>A block is its decoded size, then elements: literals, or copies of earlier output. As in lz4, {@code ip} and
 * {@code op} are the positions in the input and the output.
 */
public final class SnappyDecoder {
    // The kind of an element is in the two lowest bits of its tag.

    /** The kind of literals. */
    private static final int LITERALS = 0;
    /** The kind of copies with an offset of 11 bits. */
    private static final int NEAR = 1;
    /** The kind of copies with an offset of 16 bits; the last kind has 32 bits. */
    private static final int FAR = 2;

    private SnappyDecoder() {}

    /**
     * Decodes {@code length} bytes into at most {@code capacity} bytes and returns their number.
     *
     * @throws CorruptDataException if the input is not a valid block, or decodes to more than {@code capacity} bytes
     */
    public static int decode(byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        int end = inOffset + length;
        int ip = inOffset;
        long claimedSize = 0;
        for (int shift = 0, lengthByte = 0x80; lengthByte != 0; shift += 7) {
            if (ip == end || shift > 28) {
                throw malformed("the length", ip - inOffset);
            }
            claimedSize |= (in[ip] & 0x7FL) << shift;
            lengthByte = in[ip++] & 0x80;
        }
        if (claimedSize > capacity) {
            throw new CorruptDataException(
                    "snappy: expected a declared size of at most " + capacity + " bytes, found " + claimedSize);
        }
        int limit = outOffset + (int) claimedSize;
        int op = elements(in, inOffset, ip, end, out, outOffset, limit);
        if (op != limit) {
            throw new CorruptDataException(
                    "snappy: expected " + claimedSize + " bytes as declared, found " + (op - outOffset));
        }
        return (int) claimedSize;
    }

    /** Decodes all elements and returns the position after the output. */
    private static int elements(byte[] in, int inOffset, int from, int end, byte[] out, int outOffset, int limit) {
        int ip = from;
        int op = outOffset;
        while (ip < end) {
            int tag = in[ip++] & 0xFF;
            int kind = tag & 3;
            if (kind == LITERALS) {
                int n = (tag >>> 2) + 1;
                if (n > 60) { // the length is in the next 1 to 4 bytes
                    int bytes = n - 60;
                    n = number(in, ip, bytes, end, inOffset) + 1;
                    ip += bytes;
                }
                if (n <= 0 || n > end - ip || n > limit - op) {
                    throw malformed("literals inside of their bounds", ip - inOffset);
                }
                if (n <= 16 && end - ip >= 16 && limit - op >= 16) {
                    Words.int64(out, op, Words.int64(in, ip));
                    Words.int64(out, op + 8, Words.int64(in, ip + 8));
                } else {
                    System.arraycopy(in, ip, out, op, n);
                }
                ip += n;
                op += n;
                continue;
            }
            int n = kind == NEAR ? (tag >>> 2 & 7) + 4 : (tag >>> 2) + 1;
            int bytes = kind == NEAR ? 1 : kind == FAR ? 2 : 4;
            int offset = number(in, ip, bytes, end, inOffset) | (kind == NEAR ? (tag & 0xE0) << 3 : 0);
            ip += bytes;
            if (offset <= 0 || offset > op - outOffset || n > limit - op) {
                throw malformed("a copy inside of its bounds", ip - inOffset);
            }
            if (limit - op < n + MatchCopy.SLACK) {
                MatchCopy.exactMatch(out, op, offset, n);
            } else {
                MatchCopy.match(out, op, offset, n);
            }
            op += n;
        }
        return op;
    }

    /** Reads a little-endian number of up to 4 bytes; returns a negative number for 2^31 or more. */
    private static int number(byte[] in, int offset, int bytes, int end, int inOffset) {
        if (end - offset < bytes) {
            throw malformed(bytes + " more bytes", offset - inOffset);
        }
        int n = 0;
        for (int i = 0; i < bytes; i++) {
            n |= (in[offset + i] & 0xFF) << 8 * i;
        }
        return n;
    }

    private static CorruptDataException malformed(String expected, int offset) {
        return new CorruptDataException("snappy: expected " + expected + ", found none at byte " + offset);
    }
}
