package dev.shardkit.spi.bytes;

/**
 * Copies the literals and matches of LZ decoders (LZ4, Snappy, DEFLATE, Zstandard) eight bytes at a time. Except for
 * {@link #exactMatch}, the arrays must have {@link #SLACK} more bytes after the copied ones, which the methods may read
 * and overwrite. Stateless.
 */
public final class MatchCopy {
    /** How many bytes word-wise copies may read and write past the end. */
    public static final int SLACK = 16;

    /** The longest copy, in bytes, that is made word by word; longer ones use {@code System.arraycopy}. */
    private static final int MAX_WORD_COPY = 128;

    /** Entry p is a word with a one at the start of each period of p bytes. Multiplying p bytes by it repeats them. */
    private static final long[] ONES = {
        0,
        0x0101010101010101L,
        0x0001000100010001L,
        0x0001000001000001L,
        0x0000000100000001L,
        0x0000010000000001L,
        0x0001000000000001L,
        0x0100000000000001L
    };

    /** Hexadecimal digit p, counted from the lowest as 0, is {@link #wholePeriods} of p. */
    private static final long PERIODS_OF_WORD = 0x7658_6880L;

    private MatchCopy() {}

    /** Copies {@code n} literals. */
    public static void literals(byte[] source, int sourceOffset, byte[] out, int outOffset, int n) {
        Words.int64(out, outOffset, Words.int64(source, sourceOffset));
        if (n > 8) {
            if (n > MAX_WORD_COPY) {
                System.arraycopy(source, sourceOffset + 8, out, outOffset + 8, n - 8);
                return;
            }
            for (int i = 8; i < n; i += 8) {
                Words.int64(out, outOffset + i, Words.int64(source, sourceOffset + i));
            }
        }
    }

    /**
     * Copies the {@code n} bytes that start {@code offset} bytes before {@code position} to {@code position}. Source
     * and destination may overlap, which repeats bytes.
     */
    public static void match(byte[] out, int position, int offset, int n) {
        int source = position - offset;
        if (offset < 8) {
            repeat(out, position, offset, n);
            return;
        }
        Words.int64(out, position, Words.int64(out, source));
        Words.int64(out, position + 8, Words.int64(out, source + 8));
        if (n > 16) {
            if (n > MAX_WORD_COPY) {
                exactMatch(out, position, offset, n);
                return;
            }
            for (int i = 16; i < n; i += 8) {
                Words.int64(out, position + i, Words.int64(out, source + i));
            }
        }
    }

    /** Writes {@code n} bytes that repeat the last {@code period} bytes, 1 to 7 of them. */
    private static void repeat(byte[] out, int position, int period, int n) {
        long word = repeated(Words.int64(out, position - period), period);
        int step = wholePeriods(period);
        for (int i = 0; i < n; i += step) {
            Words.int64(out, position + i, word);
        }
    }

    /** Returns the first {@code period} bytes of {@code word}, 1 to 7, repeated. */
    public static long repeated(long word, int period) {
        return (word & (1L << 8 * period) - 1) * ONES[period];
    }

    /** Like {@link #repeated}, but the bytes of {@code word} after the first {@code period} must be 0. */
    public static long repeatedAlone(long word, int period) {
        return word * ONES[period];
    }

    /** Returns the number of bytes in the whole periods, of 1 to 7 bytes each, that fit into a word of 8 bytes. */
    public static int wholePeriods(int period) {
        return (int) (PERIODS_OF_WORD >>> 4 * period) & 15;
    }

    /** Like {@link #match}, but never writes past the end. */
    public static void exactMatch(byte[] out, int position, int offset, int n) {
        int source = position - offset;
        int copied = 0;
        while (copied < n) {
            // The length of each copy doubles, since the copied bytes repeat.
            int length = Math.min(offset + copied, n - copied);
            System.arraycopy(out, source, out, position + copied, length);
            copied += length;
        }
    }
}
