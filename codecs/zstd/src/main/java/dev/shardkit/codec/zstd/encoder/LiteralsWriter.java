package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.codec.zstd.entropy.HuffmanCode;
import dev.shardkit.codec.zstd.entropy.SymbolCounts;
import dev.shardkit.spi.bytes.Words;

/**
 * Writes the literals section of a zstd block (RFC 8878, section 3.1.1.3.1): raw, as one repeated byte, or with a
 * Huffman code, whichever is shortest. Reused; not thread-safe.
 */
final class LiteralsWriter {
    /** The type of a section with raw literals. */
    private static final int RAW = 0;
    /** The type of a section with one repeated literal. */
    private static final int RLE = 1;
    /** The type of a section with a Huffman code. */
    private static final int COMPRESSED = 2;
    /** The minimum number of literals for which a Huffman code saves bytes. */
    private static final int FEWEST = 32;
    /** The minimum number of literals that are written as four streams; fewer are one stream. */
    private static final int FEWEST_IN_FOUR = 256;

    /** The size in bytes of the jump table, which states the sizes of the first three of four streams. */
    private static final int JUMPS = 6;

    private final SymbolCounts histogram = new SymbolCounts();
    private final HuffmanCode code = new HuffmanCode();

    /** Writes the {@code n} literals to {@code offset}; returns their end, or -1 if it is after {@code limit}. */
    int write(byte[] literals, int n, byte[] out, int offset, int limit) {
        if (n >= FEWEST) {
            histogram.ofBytes(literals, 0, n);
            if (histogram.usedSymbols() == 1) {
                int end = header(RLE, n, out, offset);
                out[end] = literals[0];
                return end + 1 <= limit ? end + 1 : -1;
            }
            // if no byte is more frequent than this, the bytes are almost random, and a code would save nothing
            if (histogram.maximum() > (n >> 7) + 4) {
                int end = compressed(literals, n, out, offset, Math.min(limit, offset + n - (n >> 6)));
                if (end >= 0) {
                    return end;
                }
            }
        }
        int end = header(RAW, n, out, offset);
        if (end + n > limit) {
            return -1;
        }
        System.arraycopy(literals, 0, out, end, n);
        return end + n;
    }

    /** Writes the header of uncompressed literals; returns its end. */
    private static int header(int type, int n, byte[] out, int offset) {
        if (n < 1 << 5) {
            out[offset] = (byte) (n << 3 | type);
            return offset + 1;
        }
        if (n < 1 << 12) {
            Words.int16(out, offset, n << 4 | 1 << 2 | type);
            return offset + 2;
        }
        Words.int32(out, offset, n << 4 | 3 << 2 | type);
        return offset + 3;
    }

    /** Writes literals with a Huffman code; returns their end, or -1 if it may be after {@code limit}. */
    private int compressed(byte[] literals, int n, byte[] out, int offset, int limit) {
        long bits = code.build(histogram);
        int header = n < 1 << 10 ? 3 : n < 1 << 14 ? 4 : 5;
        int start = offset + header;
        int streams = code.describe(out, start);
        // Each stream has a bit that marks its end, and its last byte is padded.
        long maximum = streams + (n < FEWEST_IN_FOUR ? 1 : JUMPS + 4) + (bits >>> 3);
        if (streams < 0 || maximum > limit) {
            return -1;
        }
        int end = n < FEWEST_IN_FOUR ? stream(literals, 0, n, out, streams) : writeFour(literals, n, out, streams);
        long size = end - start;
        int format = header == 3 ? n < FEWEST_IN_FOUR ? 0 : 1 : header - 2;
        int width = header == 3 ? 10 : header == 4 ? 14 : 18; // the number of bits of both sizes in the header
        long all = COMPRESSED | format << 2 | (long) n << 4 | size << 4 + width;
        for (int i = 0; i < header; i++) {
            out[offset + i] = (byte) (all >>> 8 * i);
        }
        return end;
    }

    /** Writes the literals as four streams, after a jump table; returns their end. */
    private int writeFour(byte[] literals, int n, byte[] out, int offset) {
        int part = n + 3 >> 2;
        int end = offset + JUMPS;
        for (int i = 0; i < 4; i++) {
            int start = end;
            end = stream(literals, i * part, Math.min(n, (i + 1) * part), out, start);
            if (i < 3) {
                Words.int16(out, offset + 2 * i, end - start);
            }
        }
        return end;
    }

    /** Writes literals as one stream, the last one first; returns its end. */
    private int stream(byte[] literals, int from, int to, byte[] out, int start) {
        int[] entries = code.entries();
        long bits = 0;
        int n = 0; // the number of bits that are not written yet
        int position = start;
        int i = to;
        while (i >= from + 5) { // a word of 64 bits has room for five codes of 11 bits and 7 bits from before
            i -= 5;
            for (int k = 4; k >= 0; k--) {
                int entry = entries[literals[i + k] & 0xff];
                bits |= (long) (entry >>> 4) << n;
                n += entry & 15;
            }
            Words.int64(out, position, bits);
            position += n >>> 3;
            bits >>>= n & ~7;
            n &= 7;
        }
        while (i > from) {
            int entry = entries[literals[--i] & 0xff];
            bits |= (long) (entry >>> 4) << n;
            n += entry & 15;
        }
        Words.int64(out, position, bits | 1L << n);
        return position + (n + 8 >>> 3);
    }
}
