package dev.shardkit.codec.snappy;

import dev.shardkit.spi.bytes.Words;
import java.util.Arrays;

/**
 * Encodes single Snappy blocks (format_description.txt of Snappy). Takes the first match that it finds, at offsets of
 * up to 64 KiB, which every decoder supports. Does not support the framing format. Equal input gives equal blocks,
 * regardless of earlier calls. As in lz4, {@code op} is the position in the output. Keeps a hash table of 32 KiB; not
 * thread-safe.
 */
public final class SnappyEncoder {
    /** The result of {@link #encode} if the block does not fit into the output range. */
    public static final int NO_ROOM = -1;

    /** The binary logarithm of the number of entries in the hash table. */
    private static final int TABLE_BITS = 13;

    private static final int MIN_MATCH = 4;
    /** The maximum length of one copy; longer matches become several. */
    private static final int LONGEST_COPY = 64;

    private static final int MAX_OFFSET = 65_535;
    /** The binary logarithm of the number of unsuccessful lookups after which the step grows by one. */
    private static final int PATIENCE_BITS = 5;
    /** The maximum number of bytes that state the decoded size. */
    private static final int MAX_LENGTH_BYTES = 5;

    private final int[] table = new int[1 << TABLE_BITS];
    /** Entries of the table below this one belong to earlier blocks, so the table is not cleared for each block. */
    private int base = 1;

    /** Creates an encoder for one worker. */
    public SnappyEncoder() {}

    /**
     * Encodes {@code length} bytes as one block into at most {@code capacity} bytes.
     *
     * @return the size of the block, or {@link #NO_ROOM}; the output range then contains any bytes
     */
    public int encode(byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        if (capacity < MAX_LENGTH_BYTES) {
            return NO_ROOM;
        }
        if (base > Integer.MAX_VALUE - length - MAX_OFFSET) {
            Arrays.fill(table, 0);
            base = 1;
        }
        int limit = outOffset + capacity;
        int end = inOffset + length;
        int shift = base - inOffset; // the table holds position + shift
        base += length;
        int op = writeSize(length, out, outOffset);
        int anchor = inOffset;
        int position = inOffset;
        int attempts = 1 << PATIENCE_BITS;
        while (position <= end - 8) {
            long word = Words.int64(in, position);
            int slot = (int) ((int) word * 0x9E3779B1L >>> 32 - TABLE_BITS) & (1 << TABLE_BITS) - 1;
            int from = table[slot] - shift;
            table[slot] = position + shift;
            if (from < inOffset || position - from > MAX_OFFSET || Words.int32(in, from) != (int) word) {
                position += attempts++ >>> PATIENCE_BITS;
                continue;
            }
            int remaining = Arrays.mismatch(in, position + MIN_MATCH, end, in, from + MIN_MATCH, from + end - position);
            int match = remaining < 0 ? end - position : MIN_MATCH + remaining;
            op = writeLiterals(in, anchor, position - anchor, out, op, limit);
            op = op < 0 ? op : writeCopies(match, position - from, out, op, limit);
            if (op < 0) {
                return NO_ROOM;
            }
            position += match;
            anchor = position;
            attempts = 1 << PATIENCE_BITS;
        }
        op = writeLiterals(in, anchor, end - anchor, out, op, limit);
        return op < 0 ? NO_ROOM : op - outOffset;
    }

    /** Writes the decoded size, 7 bits in each byte, and returns the position after it. */
    private static int writeSize(int length, byte[] out, int offset) {
        int op = offset;
        int remaining = length;
        while (remaining >= 0x80) {
            out[op++] = (byte) (remaining | 0x80);
            remaining >>>= 7;
        }
        out[op++] = (byte) remaining;
        return op;
    }

    /** Writes {@code count} literals. Returns the position after them, or {@link #NO_ROOM}. */
    private static int writeLiterals(byte[] in, int from, int count, byte[] out, int offset, int limit) {
        if (count == 0) {
            return offset;
        }
        if (limit - offset < 5L + count) { // the longest tag has 5 bytes
            return NO_ROOM;
        }
        int op = offset;
        // the tag holds a count of up to 60; a greater one follows it in 1 to 4 bytes
        int bytes = count <= 60 ? 0 : count <= 1 << 8 ? 1 : count <= 1 << 16 ? 2 : count <= 1 << 24 ? 3 : 4;
        out[op++] = (byte) ((bytes == 0 ? count - 1 : 59 + bytes) << 2);
        for (int i = 0; i < bytes; i++) {
            out[op++] = (byte) (count - 1 >>> 8 * i);
        }
        System.arraycopy(in, from, out, op, count);
        return op + count;
    }

    /** Writes a match of {@code match} bytes as copies. Returns the position after them, or {@link #NO_ROOM}. */
    private static int writeCopies(int match, int offset, byte[] out, int position, int limit) {
        if (limit - position < 3L * (match / (LONGEST_COPY - MIN_MATCH) + 1)) {
            return NO_ROOM;
        }
        int op = position;
        int remaining = match;
        while (remaining > 0) {
            // The short form is for copies of 4 to 11 bytes. So if a match becomes several copies, at least 4 bytes
            // are left for the last one.
            int n = remaining <= LONGEST_COPY ? remaining : Math.min(LONGEST_COPY, remaining - MIN_MATCH);
            if (n >= MIN_MATCH && n < 12 && offset < 1 << 11) {
                out[op++] = (byte) (offset >>> 8 << 5 | n - MIN_MATCH << 2 | 1);
                out[op++] = (byte) offset;
            } else {
                out[op] = (byte) (n - 1 << 2 | 2);
                Words.int16(out, op + 1, offset);
                op += 3;
            }
            remaining -= n;
        }
        return op;
    }
}
