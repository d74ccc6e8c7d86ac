package dev.shardkit.codec.lz4;

import dev.shardkit.spi.bytes.MatchCopy;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.Arrays;

/**
 * Decodes single LZ4 blocks (the block format of lz4 1.x, also used by lz4hc) within exact bounds: it never reads or
 * writes outside the two given ranges, and allocates nothing. Does not support LZ4 frames. Stateless.
 *
 * <p>A block is a list of sequences. A sequence is a token with the lengths of two parts, then literal bytes, then a
 * match: an offset back into the output. Far from the ends of the ranges, literals and matches are copied word by word.
 * These copies may write a few bytes more than the length, which later output overwrites. Near an end, copies are
 * exact. As in lz4's own sources, {@code ip} and {@code op} are the positions in the input and the output.
 */
public final class Lz4Decoder {
    /** The number of bytes that a short sequence may read: literals in two words, and an offset. */
    private static final int FAST_IN = 18;
    /** The number of bytes that a short sequence may write: up to 14 literals, then a match in three words. */
    private static final int FAST_OUT = 14 + 24;

    private static final int MIN_MATCH = 4;
    /** The length in a token's four bits which means that more length bytes follow. */
    private static final int MORE = 15;
    /** From this length on, copies by the JDK are faster than loops. */
    private static final int LONG_COPY = 64;

    private Lz4Decoder() {}

    /**
     * Decodes {@code length} bytes into at most {@code capacity} bytes and returns their number.
     *
     * @throws CorruptDataException if the input is not a valid block, or decodes to more than {@code capacity} bytes
     */
    public static int decode(byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        return decodeFirst(in, inOffset, length, out, outOffset, capacity, Integer.MAX_VALUE - outOffset);
    }

    /**
     * Like {@link #decode}, but matches may also refer to the dictionary that lies right before {@code outOffset}.
     *
     * @param dictionarySize the number of bytes of the dictionary
     */
    public static int decodeAfter(
            int dictionarySize, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        return decode(in, inOffset, length, out, outOffset - dictionarySize, outOffset, capacity, Integer.MAX_VALUE);
    }

    /**
     * Like {@link #decode}, but stops after {@code requested} bytes or more. The rest of the output range may then
     * contain any bytes.
     *
     * @throws CorruptDataException if the decoded part of the input is invalid, or decodes to more than
     *     {@code capacity} bytes
     */
    public static int decodeFirst(
            byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, int requested) {
        return decode(in, inOffset, length, out, outOffset, outOffset, capacity, outOffset + requested);
    }

    /**
     * Decodes a block.
     *
     * @param origin the first byte of the output to which matches may refer
     * @param stopAfter decoding may stop when this index of the output is reached
     */
    private static int decode(
            byte[] in, int inOffset, int length, byte[] out, int origin, int outOffset, int capacity, int stopAfter) {
        int end = inOffset + length;
        int limit = outOffset + capacity;
        int ip = inOffset;
        int op = outOffset;
        int fastIn = end - FAST_IN;
        int fastOut = Math.min(limit - FAST_OUT, stopAfter - 1);
        while (ip < end) {
            int token = in[ip++] & 0xFF;
            int literals = token >>> 4;
            int match = (token & MORE) + MIN_MATCH;
            if (literals < MORE && ip <= fastIn && op <= fastOut) {
                Words.int64(out, op, Words.int64(in, ip));
                if (literals > 8) {
                    Words.int64(out, op + 8, Words.int64(in, ip + 8));
                }
                ip += literals;
                op += literals;
                int offset = Words.int16(in, ip);
                if (match < MORE + MIN_MATCH && offset != 0 && offset <= op - origin && op - origin >= 8) {
                    shortMatch(out, op, offset);
                    ip += 2;
                    op += match;
                    continue;
                }
            } else {
                if (op >= stopAfter) {
                    return op - outOffset;
                }
                if (literals == MORE) {
                    int extra = ip < end ? in[ip++] & 0xFF : -1;
                    if (extra < 0 || extra == 255) {
                        extra = extraLength(in, ip, end, limit - op, op - outOffset);
                        ip += extra / 255; // each byte of 255 has one byte after it
                    }
                    literals += extra;
                }
                if (literals > end - ip || literals > limit - op) {
                    throw malformed("literals inside of their bounds", op - outOffset);
                }
                copyLiterals(in, ip, end, out, op, limit, literals);
                ip += literals;
                op += literals;
                if (ip == end) {
                    return op - outOffset;
                }
                if (end - ip < 2) {
                    throw malformed("an offset", op - outOffset);
                }
            }
            int offset = Words.int16(in, ip);
            ip += 2;
            if (match == MORE + MIN_MATCH) {
                int extra = ip < end ? in[ip++] & 0xFF : -1;
                if (extra < 0 || extra == 255) {
                    extra = extraLength(in, ip, end, limit - op, op - outOffset);
                    ip += extra / 255;
                }
                match += extra;
            }
            if (offset == 0 || offset > op - origin || match > limit - op) {
                throw malformed(
                        offset == 0 ? "an offset other than 0" : "a match inside of its bounds", op - outOffset);
            }
            copyMatch(out, op, offset, match, limit);
            op += match;
        }
        throw malformed("literals at the end", op - outOffset);
    }

    /**
     * Returns the sum of the bytes that extend a length. The first of them, 255, was read already; the first byte below
     * 255 is the last. Fails if the sum exceeds {@code maximum}.
     */
    private static int extraLength(byte[] in, int ip, int end, int maximum, int completed) {
        int total = 255;
        for (int i = ip; i < end; i++) {
            int lengthByte = in[i] & 0xFF;
            if (lengthByte > maximum - total) {
                throw malformed("a length inside of its bounds", completed);
            }
            total += lengthByte;
            if (lengthByte < 255) {
                return total;
            }
        }
        throw malformed("a length that ends", completed);
    }

    /**
     * Copies at least 18 bytes, although a short match has only 4 to 18: a branch on the length would cost more than
     * the copies.
     */
    private static void shortMatch(byte[] out, int op, int offset) {
        int from = op - offset;
        if (offset >= 8) {
            Words.int64(out, op, Words.int64(out, from));
            Words.int64(out, op + 8, Words.int64(out, from + 8));
            Words.int64(out, op + 16, Words.int64(out, from + 16));
            return;
        }
        // Reads the word that ends at op, not the word that starts at from. The latter would overlap the word of
        // literals that may just have been written at op, and the processor would wait for that write.
        long word = MatchCopy.repeatedAlone(Words.int64(out, op - 8) >>> 64 - 8 * offset, offset);
        int period = MatchCopy.wholePeriods(offset);
        Words.int64(out, op, word);
        Words.int64(out, op + period, word);
        Words.int64(out, op + 2 * period, word);
    }

    /** Copies {@code count} literals word by word, or exactly if they are many or near an end. */
    private static void copyLiterals(byte[] in, int ip, int end, byte[] out, int op, int limit, int count) {
        if (count > LONG_COPY || end - ip < count + 8 || limit - op < count + 8) {
            System.arraycopy(in, ip, out, op, count);
            return;
        }
        for (int i = 0; i < count; i += 8) {
            Words.int64(out, op + i, Words.int64(in, ip + i));
        }
    }

    /** Copies a match of {@code length} bytes word by word, or exactly near the end of the output. */
    private static void copyMatch(byte[] out, int op, int offset, int length, int limit) {
        if (offset == 1 && length > LONG_COPY) {
            Arrays.fill(out, op, op + length, out[op - 1]);
        } else if (limit - op < length + MatchCopy.SLACK) {
            MatchCopy.exactMatch(out, op, offset, length);
        } else {
            MatchCopy.match(out, op, offset, length);
        }
    }

    private static CorruptDataException malformed(String expected, int completed) {
        return new CorruptDataException(
                "lz4: expected " + expected + ", found none, after " + completed + " decoded bytes");
    }
}
