package dev.shardkit.codec.snappy;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.MatchCopy;
import dev.shardkit.spi.kernel.Words;

/**
 * Decodes single Snappy blocks (Snappy's format description) within exact bounds: it never reads or writes outside the
 * two given ranges, and allocates nothing. Does not support the framing format. Stateless.
 */
public final class SnappyDecoder {
    private static final int LITERALS = 0;
    private static final int NEAR = 1;
    private static final int FAR = 2;

    private SnappyDecoder() {}

    /**
     * Decodes {@code length} bytes into at most {@code room} bytes and returns their number.
     *
     * @throws CorruptDataException if the input is not a valid block, or decodes to more than {@code room} bytes
     */
    public static int decode(byte[] in, int inAt, int length, byte[] out, int outAt, int room) {
        int end = inAt + length;
        int ip = inAt;
        long claim = 0;
        for (int shift = 0, more = 0x80; more != 0; shift += 7) {
            if (ip == end || shift > 28) {
                throw malformed("the length", ip - inAt);
            }
            claim |= (in[ip] & 0x7FL) << shift;
            more = in[ip++] & 0x80;
        }
        if (claim > room) {
            throw new CorruptDataException(
                    "snappy: expected a declared size of at most " + room + " bytes, found " + claim);
        }
        int limit = outAt + (int) claim;
        int op = elements(in, inAt, ip, end, out, outAt, limit);
        if (op != limit) {
            throw new CorruptDataException("snappy: expected " + claim + " bytes as declared, found " + (op - outAt));
        }
        return (int) claim;
    }

    private static int elements(byte[] in, int inAt, int from, int end, byte[] out, int outAt, int limit) {
        int ip = from;
        int op = outAt;
        while (ip < end) {
            int tag = in[ip++] & 0xFF;
            int kind = tag & 3;
            if (kind == LITERALS) {
                int n = (tag >>> 2) + 1;
                if (n > 60) {
                    int bytes = n - 60;
                    n = number(in, ip, bytes, end, inAt) + 1;
                    ip += bytes;
                }
                if (n <= 0 || n > end - ip || n > limit - op) {
                    throw malformed("literals inside of their bounds", ip - inAt);
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
            int offset = number(in, ip, bytes, end, inAt) | (kind == NEAR ? (tag & 0xE0) << 3 : 0);
            ip += bytes;
            if (offset <= 0 || offset > op - outAt || n > limit - op) {
                throw malformed("a copy inside of its bounds", ip - inAt);
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
    private static int number(byte[] in, int at, int bytes, int end, int inAt) {
        if (end - at < bytes) {
            throw malformed(bytes + " more bytes", at - inAt);
        }
        int n = 0;
        for (int i = 0; i < bytes; i++) {
            n |= (in[at + i] & 0xFF) << 8 * i;
        }
        return n;
    }

    private static CorruptDataException malformed(String expected, int at) {
        return new CorruptDataException("snappy: expected " + expected + ", found none at byte " + at);
    }
}
