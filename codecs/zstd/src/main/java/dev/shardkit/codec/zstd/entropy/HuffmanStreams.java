package dev.shardkit.codec.zstd.entropy;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.spi.bytes.Words;

/**
 * Decodes the literals of a zstd block with a {@link HuffmanTable}, from one stream or from four streams in one loop
 * (RFC 8878, section 3.1.1.3.1.6).
 *
 * <p>A word holds the next bits of a stream at its upper end. The lowest bit of a loaded word is set to one. Consuming
 * bits shifts the word to the left, so the number of zeros below this bit is the number of bits that were consumed.
 * Five symbols of at most 11 bits are decoded between two loads. Not thread-safe.
 */
public final class HuffmanStreams {
    /** The number of symbols that are decoded between two loads. */
    private static final int AT_ONCE = 5;
    /** A word shifted by this distance is an index of the table. */
    private static final int SHIFT = 64 - HuffmanTable.LOG;

    /** The maximum number of bytes by which five symbols advance a stream: 55 bits, plus 7 unused ones. */
    private static final int MAX_MOVED = 7;

    /** The size in bytes of the table that precedes four streams: two bytes for the size of each of the first three. */
    private static final int JUMPS = 6;

    /** For each stream, the index of its first byte. */
    private final int[] streamStart = new int[4];
    /** For each stream, the index of the bytes from which its word was loaded. */
    private final int[] bitPosition = new int[4];

    /** For each stream, the word of its next bits. */
    private final long[] word = new long[4];

    /** Decodes at least {@code requested} of the {@code n} symbols of the stream from {@code start} to {@code end}. */
    public void decodeOne(short[] table, byte[] in, int start, int end, byte[] out, int n, int requested) {
        open(0, in, start, end);
        finish(0, table, in, out, 0, requested, n);
    }

    /**
     * Decodes at least {@code requested} of the {@code n} symbols of four streams, which follow a table of their sizes.
     */
    public void decodeFour(short[] table, byte[] in, int start, int end, byte[] out, int n, int requested) {
        int part = n + 3 >> 2; // the number of symbols in each of the first three streams
        if (end - start < JUMPS + 4 || 3 * part > n) { // each stream has at least a byte
            throw new MalformedFrame(
                    start, "expected four streams of " + n + " literals, found " + (end - start) + " bytes");
        }
        int next = start + JUMPS;
        for (int i = 0; i < 4; i++) {
            int size = i == 3 ? end - next : in[start + 2 * i] & 0xff | (in[start + 2 * i + 1] & 0xff) << 8;
            if (size > end - next) {
                throw new MalformedFrame(
                        start, "expected four streams inside the literals, found one of " + size + " bytes");
            }
            open(i, in, next, next + size);
            next += size;
        }
        if (requested < part) {
            finish(0, table, in, out, 0, requested, part);
            return;
        }
        int completed = together(table, in, out, 0, part, n - 3 * part);
        for (int i = 0; i < 4; i++) {
            int to = i == 3 ? n : (i + 1) * part;
            finish(i, table, in, out, i * part + completed, to, to);
        }
    }

    /** Loads the first word of stream {@code i}. */
    private void open(int i, byte[] in, int start, int end) {
        int bits = BackwardBits.count(in, start, end);
        streamStart[i] = start;
        bitPosition[i] = start - 8 + (bits + 7 >> 3);
        word[i] = (Words.int64(in, bitPosition[i]) | 1) << (-bits & 7);
    }

    /**
     * Decodes four streams while none can reach its start; returns the number of symbols decoded from each.
     *
     * @param part the number of symbols in each of the first three streams
     * @param last the number of symbols in the last one, which has the fewest
     */
    private int together(short[] table, byte[] in, byte[] out, int outOffset, int part, int last) {
        int at0 = bitPosition[0];
        int at1 = bitPosition[1];
        int at2 = bitPosition[2];
        int at3 = bitPosition[3];
        long w0 = word[0];
        long w1 = word[1];
        long w2 = word[2];
        long w3 = word[3];
        int out1 = outOffset + part;
        int out2 = out1 + part;
        int out3 = out2 + part;
        int completed = 0;
        while (true) {
            int safe = Math.min(
                            Math.min(at0 - streamStart[0], at1 - streamStart[1]),
                            Math.min(at2 - streamStart[2], at3 - streamStart[3]))
                    / MAX_MOVED;
            int rounds = Math.min(safe, (last - completed) / AT_ONCE);
            if (rounds <= 0) {
                break;
            }
            for (int end = completed + rounds * AT_ONCE; completed < end; completed += AT_ONCE) {
                w0 = five(table, w0, out, outOffset + completed);
                int n0 = Long.numberOfTrailingZeros(w0);
                at0 -= n0 >> 3;
                w0 = (Words.int64(in, at0) | 1) << (n0 & 7);
                w1 = five(table, w1, out, out1 + completed);
                int n1 = Long.numberOfTrailingZeros(w1);
                at1 -= n1 >> 3;
                w1 = (Words.int64(in, at1) | 1) << (n1 & 7);
                w2 = five(table, w2, out, out2 + completed);
                int n2 = Long.numberOfTrailingZeros(w2);
                at2 -= n2 >> 3;
                w2 = (Words.int64(in, at2) | 1) << (n2 & 7);
                w3 = five(table, w3, out, out3 + completed);
                int n3 = Long.numberOfTrailingZeros(w3);
                at3 -= n3 >> 3;
                w3 = (Words.int64(in, at3) | 1) << (n3 & 7);
            }
        }
        bitPosition[0] = at0;
        bitPosition[1] = at1;
        bitPosition[2] = at2;
        bitPosition[3] = at3;
        word[0] = w0;
        word[1] = w1;
        word[2] = w2;
        word[3] = w3;
        return completed;
    }

    /** Decodes five symbols from the upper end of {@code word}; returns the rest of it. */
    private static long five(short[] table, long word, byte[] out, int offset) {
        int e = table[(int) (word >>> SHIFT)];
        long w = word << e;
        out[offset] = (byte) (e >> 8);
        e = table[(int) (w >>> SHIFT)];
        w <<= e;
        out[offset + 1] = (byte) (e >> 8);
        e = table[(int) (w >>> SHIFT)];
        w <<= e;
        out[offset + 2] = (byte) (e >> 8);
        e = table[(int) (w >>> SHIFT)];
        w <<= e;
        out[offset + 3] = (byte) (e >> 8);
        e = table[(int) (w >>> SHIFT)];
        out[offset + 4] = (byte) (e >> 8);
        return w << e;
    }

    /**
     * Decodes one stream up to {@code outTo}. If this is {@code outEnd}, the position after the stream's last symbol,
     * the stream must have no more bits.
     */
    private void finish(int i, short[] table, byte[] in, byte[] out, int outFrom, int outTo, int outEnd) {
        int start = streamStart[i];
        int remaining = 8 * (bitPosition[i] - start) + 64 - Long.numberOfTrailingZeros(word[i]);
        int to = outFrom;
        while (to < outTo && remaining >= 0) {
            long w = BackwardBits.word(in, start, remaining);
            for (int end = Math.min(outTo, to + AT_ONCE); to < end; to++) {
                int e = table[(int) (w >>> SHIFT)];
                w <<= e;
                remaining -= e & 0xff;
                out[to] = (byte) (e >> 8);
            }
        }
        if (remaining < 0 || remaining > 0 && outTo == outEnd) {
            throw new MalformedFrame(
                    start,
                    "expected a stream that ends with its last literal, found "
                            + (remaining < 0 ? "too few" : remaining + " more") + " bits");
        }
    }
}
