package dev.shardkit.codec.lz4;

import dev.shardkit.spi.bytes.Words;
import java.util.Arrays;

/**
 * Encodes single LZ4 blocks (the block format of lz4 1.x). Finds matches by a hash table of the last positions of
 * five-byte words, and takes the first match that it finds. Does not support LZ4 frames. Equal input gives equal
 * blocks, regardless of earlier calls. As in lz4's own sources, {@code op} is the position in the output. Keeps a table
 * of 16 KiB; not thread-safe.
 */
public final class Lz4Encoder {
    /** The result of {@link #encode} if the block does not fit into the output range. */
    public static final int NO_ROOM = -1;

    /** The binary logarithm of the number of entries in the hash table. */
    private static final int TABLE_BITS = 12;

    private static final int MIN_MATCH = 4;
    private static final int MAX_OFFSET = 65_535;
    /** The format requires that the last five bytes are literals. */
    private static final int LAST_LITERALS = 5;
    /** The format requires that no match starts in the last twelve bytes. */
    private static final int LAST_MATCH = 12;
    /** The largest length in one of a token's two nibbles (4 bits); it means that more length bytes follow. */
    private static final int MORE = 15;
    /** Room for a token, 16 literals written as two words, an offset, and two bytes that extend lengths. */
    private static final int SHORT_SEQUENCE = 1 + 16 + 2 + 2;
    /** The binary logarithm of the number of unsuccessful lookups after which the step grows by one. */
    private static final int PATIENCE_BITS = 6;

    private final int[] table = new int[1 << TABLE_BITS];
    /** Entries of the table below this one belong to earlier blocks, so the table is not cleared for each block. */
    private int base = 1;

    /** Creates an encoder for one worker. */
    public Lz4Encoder() {}

    /** Returns the largest encoded size of a block of {@code length} bytes. */
    public static long maxEncodedSize(long length) {
        return length + length / 255 + 16;
    }

    /**
     * Encodes {@code length} bytes as one block into at most {@code capacity} bytes.
     *
     * @param acceleration 1 tries every position; larger values are faster and compress less
     * @return the size of the block, or {@link #NO_ROOM}; the output range then contains any bytes
     */
    public int encode(byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, int acceleration) {
        if (base > Integer.MAX_VALUE - length - MAX_OFFSET) {
            Arrays.fill(table, 0);
            base = 1;
        }
        int[] positions = table;
        int limit = outOffset + capacity;
        int end = inOffset + length;
        int shift = base - inOffset; // the table holds position + shift
        base += length;
        int op = outOffset;
        int anchor = inOffset;
        int lastMatch = end - LAST_MATCH;
        int matchEnd = end - LAST_LITERALS;
        int position = inOffset + 1;
        while (true) {
            int from = inOffset;
            int attempts = acceleration << PATIENCE_BITS;
            for (; position <= lastMatch; position += attempts++ >>> PATIENCE_BITS) {
                long word = Words.int64(in, position);
                int hash = hash(word);
                // An entry of an earlier block leads to the start of this block. A useless comparison there costs less
                // than a branch that the processor cannot predict.
                from = Math.max(positions[hash] - shift, inOffset);
                positions[hash] = position + shift;
                if (Words.int32(in, from) == (int) word && position - from <= MAX_OFFSET) {
                    break;
                }
            }
            if (position > lastMatch) {
                break;
            }
            while (position > anchor && from > inOffset && in[position - 1] == in[from - 1]) {
                position--;
                from--;
            }
            int match = MIN_MATCH + matchLength(in, from + MIN_MATCH, position + MIN_MATCH, matchEnd);
            int literals = position - anchor;
            if (limit - op < SHORT_SEQUENCE + literals + (literals + match) / 255) {
                return NO_ROOM;
            }
            int token = op++;
            int literalsNibble = Math.min(literals, MORE);
            if (literals >= MORE) {
                op = writeLength(literals - MORE, out, op);
            }
            if (literals > 16 || in.length - anchor < 16) {
                System.arraycopy(in, anchor, out, op, literals);
            } else {
                Words.int64(out, op, Words.int64(in, anchor));
                Words.int64(out, op + 8, Words.int64(in, anchor + 8));
            }
            op += literals;
            Words.int16(out, op, position - from);
            op += 2;
            out[token] = (byte) (literalsNibble << 4 | Math.min(match - MIN_MATCH, MORE));
            if (match >= MORE + MIN_MATCH) {
                op = writeLength(match - MIN_MATCH - MORE, out, op);
            }
            position += match;
            anchor = position;
            if (position <= lastMatch) {
                positions[hash(Words.int64(in, position - 2))] = position - 2 + shift;
            }
        }
        op = writeLastLiterals(in, anchor, end - anchor, out, op, limit);
        return op < 0 ? NO_ROOM : op - outOffset;
    }

    /** Returns the hash of the lowest five bytes. */
    private static int hash(long word) {
        return (int) ((word << 24) * 0x9E3779B97F4A7C15L >>> 64 - TABLE_BITS);
    }

    /** Returns the number of equal bytes from {@code a} and from {@code b} on. Compares up to {@code end} from b. */
    private static int matchLength(byte[] in, int a, int b, int end) {
        int n = 0;
        int maxLength = end - b;
        while (n + 8 <= maxLength) {
            long differ = Words.int64(in, a + n) ^ Words.int64(in, b + n);
            if (differ != 0) {
                return n + (Long.numberOfTrailingZeros(differ) >>> 3);
            }
            n += 8;
            if (n == 64) { // the JDK compares long runs with vector instructions
                int mismatch = Arrays.mismatch(in, a + n, a + maxLength, in, b + n, end);
                return mismatch < 0 ? maxLength : n + mismatch;
            }
        }
        while (n < maxLength && in[a + n] == in[b + n]) {
            n++;
        }
        return n;
    }

    /** Writes {@code count} literals, which end the block. Returns their end, or {@link #NO_ROOM}. */
    private static int writeLastLiterals(byte[] in, int from, int count, byte[] out, int offset, int limit) {
        if (limit - offset < 2L + count + count / 255) {
            return NO_ROOM;
        }
        int op = offset;
        out[op++] = (byte) (Math.min(count, MORE) << 4);
        if (count >= MORE) {
            op = writeLength(count - MORE, out, op);
        }
        System.arraycopy(in, from, out, op, count);
        return op + count;
    }

    /** Writes the bytes that extend a length by {@code excess}, and returns the position after them. */
    private static int writeLength(int excess, byte[] out, int position) {
        int op = position;
        int remaining = excess;
        while (remaining >= 255) {
            out[op++] = (byte) 255;
            remaining -= 255;
        }
        out[op++] = (byte) remaining;
        return op;
    }
}
