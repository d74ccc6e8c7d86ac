package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.corrupt;

/**
 * Decodes blosclz, the format of c-blosc's own compressor, a relative of FastLZ. There is no encoder.
 *
 * <p>A control byte n below 32 means that n + 1 literals follow. Any other control byte starts a match. Its upper three
 * bits hold the length; if they are 7, bytes follow that add to the length, until one is not 255. Its lower five bits
 * are the upper bits of the distance; the next byte holds the lower eight bits. If all 13 bits are set, two more bytes
 * hold a far distance.
 */
final class BloscLzDecoder {
    /** The upper bits of a distance that may be a far one. */
    private static final int FAR = 31 << 8;
    /** The largest distance in 13 bits; far distances count from here. */
    private static final int MAX_NEAR_DISTANCE = 8191;

    private BloscLzDecoder() {}

    /** Decodes {@code length} bytes into at most {@code capacity} bytes and returns their number. */
    static int decode(byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        int end = inOffset + length;
        int limit = outOffset + capacity;
        int ip = inOffset;
        int op = outOffset;
        // The first control byte always means literals; its upper bits hold the level.
        boolean isFirst = true;
        while (ip < end) {
            int control = in[ip++] & (isFirst ? 31 : 0xFF);
            isFirst = false;
            if (control < 32) {
                int count = control + 1;
                if (count > end - ip || count > limit - op) {
                    throw overrun(ip - inOffset);
                }
                System.arraycopy(in, ip, out, op, count);
                ip += count;
                op += count;
                continue;
            }
            int count = (control >>> 5) + 2;
            if (count == 9) { // the upper bits are 7
                int lengthByte;
                do {
                    lengthByte = next(in, ip++, end, inOffset);
                    count += lengthByte;
                    if (count > limit - op) {
                        throw overrun(ip - inOffset);
                    }
                } while (lengthByte == 255);
            }
            int high = (control & 31) << 8;
            int low = next(in, ip++, end, inOffset);
            int distance = high + low + 1;
            if (high == FAR && low == 255) {
                distance = (next(in, ip++, end, inOffset) << 8) + next(in, ip++, end, inOffset) + MAX_NEAR_DISTANCE + 1;
            }
            if (count > limit - op || distance > op - outOffset) {
                throw overrun(ip - inOffset);
            }
            copy(out, op, distance, count);
            op += count;
        }
        return op - outOffset;
    }

    private static int next(byte[] in, int ip, int end, int inOffset) {
        if (ip >= end) {
            throw overrun(ip - inOffset);
        }
        return in[ip] & 0xFF;
    }

    /** Copies a match, whose source may overlap its destination. */
    private static void copy(byte[] out, int op, int distance, int count) {
        if (distance >= count) {
            System.arraycopy(out, op - distance, out, op, count);
        } else if (distance == 1) {
            java.util.Arrays.fill(out, op, op + count, out[op - 1]);
        } else {
            for (int i = op; i < op + count; i++) {
                out[i] = out[i - distance];
            }
        }
    }

    private static RuntimeException overrun(int offset) {
        return corrupt("a blosclz stream", "one that leaves its bounds at byte " + offset);
    }
}
