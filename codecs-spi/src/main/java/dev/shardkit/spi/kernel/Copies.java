package dev.shardkit.spi.kernel;

/** Copies literals and matches, in words where there is room for their last one to go past the end. Stateless. */
public final class Copies {
    /** How far the copies in words may go past the end, in what they read and what they write. */
    public static final int SLACK = 16;

    private static final int SHORT = 128;

    /** By period: a word with a one at the begin of each, by which to multiply. */
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

    private static final long WHOLE = 0x7658_6880L;

    private Copies() {}

    /** Copies {@code n} literals. */
    public static void literals(byte[] from, int at, byte[] out, int outAt, int n) {
        Words.int64(out, outAt, Words.int64(from, at));
        if (n > 8) {
            if (n > SHORT) {
                System.arraycopy(from, at + 8, out, outAt + 8, n - 8);
                return;
            }
            for (int i = 8; i < n; i += 8) {
                Words.int64(out, outAt + i, Words.int64(from, at + i));
            }
        }
    }

    /** Copies {@code n} bytes that begin {@code offset} bytes before {@code at} to {@code at}; they may overlap. */
    public static void match(byte[] out, int at, int offset, int n) {
        int from = at - offset;
        if (offset < 8) {
            repeat(out, at, offset, n);
            return;
        }
        Words.int64(out, at, Words.int64(out, from));
        Words.int64(out, at + 8, Words.int64(out, from + 8));
        if (n > 16) {
            if (n > SHORT) {
                exactMatch(out, at, offset, n);
                return;
            }
            for (int i = 16; i < n; i += 8) {
                Words.int64(out, at + i, Words.int64(out, from + i));
            }
        }
    }

    /** Repeats the last {@code period} bytes, up to 7. */
    private static void repeat(byte[] out, int at, int period, int n) {
        long word = repeated(Words.int64(out, at - period), period);
        int step = wholePeriods(period);
        for (int i = 0; i < n; i += step) {
            Words.int64(out, at + i, word);
        }
    }

    /** The first {@code period} bytes of {@code word}, 1 to 7, again and again. */
    public static long repeated(long word, int period) {
        return (word & (1L << 8 * period) - 1) * ONES[period];
    }

    /** How many bytes of a word are whole periods of 1 to 7 bytes; 5 or more. */
    public static int wholePeriods(int period) {
        return (int) (WHOLE >>> 4 * period) & 15;
    }

    /** The same as {@link #match}, not a byte past the end. */
    public static void exactMatch(byte[] out, int at, int offset, int n) {
        int from = at - offset;
        int done = 0;
        while (done < n) {
            // What is copied doubles each time: it repeats from there on.
            int more = Math.min(offset + done, n - done);
            System.arraycopy(out, from, out, at + done, more);
            done += more;
        }
    }
}
