package dev.shardkit.codec.lz4;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.MatchCopy;
import dev.shardkit.spi.kernel.Words;
import java.util.Arrays;

/**
 * Decodes single LZ4 blocks (the block format of lz4 1.x, also used by lz4hc) within exact bounds: it never reads or
 * writes outside the two given ranges, and allocates nothing. Does not support LZ4 frames. Stateless.
 *
 * <p>Far from the ends of the ranges, literals and matches are copied word by word. These copies may go past their end,
 * and following output overwrites the surplus. Near an end, copies are exact.
 */
public final class Lz4Decoder {
    /** How many bytes a short sequence may read: literals in two words, and an offset. */
    private static final int FAST_IN = 18;
    /** How many bytes a short sequence may write: up to 14 literals, then a match in three words. */
    private static final int FAST_OUT = 14 + 24;

    private static final int MIN_MATCH = 4;
    /** The nibble that means that more length bytes follow. */
    private static final int MORE = 15;
    /** From this length on, copies by the JDK are faster than loops. */
    private static final int LONG_COPY = 64;

    private Lz4Decoder() {}

    /**
     * Decodes {@code length} bytes into at most {@code room} bytes and returns their number.
     *
     * @throws CorruptDataException if the input is not a valid block, or decodes to more than {@code room} bytes
     */
    public static int decode(byte[] in, int inAt, int length, byte[] out, int outAt, int room) {
        return decodeFirst(in, inAt, length, out, outAt, room, Integer.MAX_VALUE - outAt);
    }

    /**
     * Like {@link #decode}, but matches may also refer to the dictionary that lies right before {@code outAt}.
     *
     * @param dictionarySize the number of bytes of the dictionary
     */
    public static int decodeAfter(
            int dictionarySize, byte[] in, int inAt, int length, byte[] out, int outAt, int room) {
        return decode(in, inAt, length, out, outAt - dictionarySize, outAt, room, Integer.MAX_VALUE);
    }

    /**
     * Like {@link #decode}, but stops after {@code wanted} bytes or more. The rest of the room may then contain any
     * bytes.
     *
     * @throws CorruptDataException if the decoded part of the input is invalid, or decodes to more than {@code room}
     *     bytes
     */
    public static int decodeFirst(byte[] in, int inAt, int length, byte[] out, int outAt, int room, int wanted) {
        return decode(in, inAt, length, out, outAt, outAt, room, outAt + wanted);
    }

    private static int decode(byte[] in, int inAt, int length, byte[] out, int origin, int outAt, int room, int stop) {
        int end = inAt + length;
        int limit = outAt + room;
        int ip = inAt;
        int op = outAt;
        int fastIn = end - FAST_IN;
        int fastOut = Math.min(limit - FAST_OUT, stop - 1);
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
                if (op >= stop) {
                    return op - outAt;
                }
                if (literals == MORE) {
                    int rest = ip < end ? in[ip++] & 0xFF : -1;
                    if (rest < 0 || rest == 255) {
                        rest = rest(in, ip, end, limit - op, op - outAt);
                        ip += rest / 255;
                    }
                    literals += rest;
                }
                if (literals > end - ip || literals > limit - op) {
                    throw malformed("literals inside of their bounds", op - outAt);
                }
                copyLiterals(in, ip, end, out, op, limit, literals);
                ip += literals;
                op += literals;
                if (ip == end) {
                    return op - outAt;
                }
                if (end - ip < 2) {
                    throw malformed("an offset", op - outAt);
                }
            }
            int offset = Words.int16(in, ip);
            ip += 2;
            if (match == MORE + MIN_MATCH) {
                int rest = ip < end ? in[ip++] & 0xFF : -1;
                if (rest < 0 || rest == 255) {
                    rest = rest(in, ip, end, limit - op, op - outAt);
                    ip += rest / 255;
                }
                match += rest;
            }
            if (offset == 0 || offset > op - origin || match > limit - op) {
                throw malformed(offset == 0 ? "an offset other than 0" : "a match inside of its bounds", op - outAt);
            }
            copyMatch(out, op, offset, match, limit);
            op += match;
        }
        throw malformed("literals at the end", op - outAt);
    }

    /**
     * Returns what the bytes before {@code ip} add to a length: 255 each, and the last one less. Stops when the length
     * exceeds any valid value.
     */
    private static int rest(byte[] in, int ip, int end, int most, int done) {
        int rest = 255;
        for (int i = ip; i < end; i++) {
            int more = in[i] & 0xFF;
            if (more > most - rest) {
                throw malformed("a length inside of its bounds", done);
            }
            rest += more;
            if (more < 255) {
                return rest;
            }
        }
        throw malformed("a length that ends", done);
    }

    /**
     * Copies 18 bytes or more, of which a match needs 4 to 18: a branch on the length would cost more than the copies.
     */
    private static void shortMatch(byte[] out, int op, int offset) {
        int from = op - offset;
        if (offset >= 8) {
            Words.int64(out, op, Words.int64(out, from));
            Words.int64(out, op + 8, Words.int64(out, from + 8));
            Words.int64(out, op + 16, Words.int64(out, from + 16));
            return;
        }
        // A word that ends at op does not touch the word of literals that may just have been written there. A word at
        // from would have to wait for it.
        long word = MatchCopy.repeatedAlone(Words.int64(out, op - 8) >>> 64 - 8 * offset, offset);
        int step = MatchCopy.wholePeriods(offset);
        Words.int64(out, op, word);
        Words.int64(out, op + step, word);
        Words.int64(out, op + 2 * step, word);
    }

    private static void copyLiterals(byte[] in, int ip, int end, byte[] out, int op, int limit, int n) {
        if (n > LONG_COPY || end - ip < n + 8 || limit - op < n + 8) {
            System.arraycopy(in, ip, out, op, n);
            return;
        }
        for (int i = 0; i < n; i += 8) {
            Words.int64(out, op + i, Words.int64(in, ip + i));
        }
    }

    private static void copyMatch(byte[] out, int op, int offset, int n, int limit) {
        if (offset == 1 && n > LONG_COPY) {
            Arrays.fill(out, op, op + n, out[op - 1]);
        } else if (limit - op < n + MatchCopy.SLACK) {
            MatchCopy.exactMatch(out, op, offset, n);
        } else {
            MatchCopy.match(out, op, offset, n);
        }
    }

    private static CorruptDataException malformed(String expected, int done) {
        return new CorruptDataException("lz4: expected " + expected + ", found none, after " + done + " decoded bytes");
    }
}
