package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.HuffmanStreams;
import dev.shardkit.codec.zstd.entropy.HuffmanTable;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import java.util.Arrays;

/**
 * The literals of a block (RFC 8878, section 3.1.1.3.1), decoded into a slightly larger array, so that words may be
 * read past their end. The Huffman table is kept from block to block of a frame. Not thread-safe.
 */
final class Literals {
    /** The number of bytes after the last literal that callers may read. */
    static final int SLACK = 32;

    private static final int RAW = 0;
    private static final int RLE = 1;
    private static final int TREELESS = 3;

    private final byte[] bytes = new byte[ZstdFrame.LARGEST_BLOCK + SLACK];
    private final HuffmanTable table = new HuffmanTable();
    private final HuffmanStreams streams = new HuffmanStreams();
    private int size;

    /** Begins a frame with the table of its dictionary, or without a table. */
    void reset(HuffmanTable initial) {
        table.reset(initial);
    }

    /** Returns the array of the literals, which begin at 0. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the number of literals. */
    int size() {
        return size;
    }

    /**
     * Reads the section from {@code from}, in a block that ends before {@code to}; returns its end.
     *
     * @param requested the minimum number of literals to decode
     */
    int read(byte[] in, int from, int to, int requested) {
        int type = in[from] & 3;
        int format = in[from] >> 2 & 3;
        if (type == RAW || type == RLE) {
            int header = format == 1 ? 2 : format == 3 ? 3 : 1;
            long word = header(in, from, to, header);
            size((int) (header == 1 ? word >>> 3 : word >>> 4), from);
            return type == RAW ? raw(in, from + header, to) : rle(in, from + header, to);
        }
        int header = format < 2 ? 3 : format + 2;
        int width = format < 2 ? 10 : 4 * format + 6;
        long word = header(in, from, to, header) >>> 4;
        size((int) word & (1 << width) - 1, from);
        int start = from + header;
        int length = (int) (word >>> width) & (1 << width) - 1;
        if (length > to - start) {
            throw new MalformedFrame(from, "expected " + length + " bytes of literals, found " + (to - start));
        }
        huffman(type, format, in, start, start + length, Math.min(requested, size));
        return start + length;
    }

    private static long header(byte[] in, int from, int to, int n) {
        if (n > to - from) {
            throw new MalformedFrame(from, "expected " + n + " bytes of a header of literals, found " + (to - from));
        }
        long word = 0;
        for (int i = n - 1; i >= 0; i--) {
            word = word << 8 | in[from + i] & 0xff;
        }
        return word;
    }

    private void size(int n, int from) {
        if (n > ZstdFrame.LARGEST_BLOCK) {
            throw new MalformedFrame(from, "expected at most " + ZstdFrame.LARGEST_BLOCK + " literals, found " + n);
        }
        size = n;
    }

    private int raw(byte[] in, int from, int to) {
        if (size > to - from) {
            throw new MalformedFrame(from, "expected " + size + " literals, found " + (to - from));
        }
        System.arraycopy(in, from, bytes, 0, size);
        return from + size;
    }

    private int rle(byte[] in, int from, int to) {
        if (from >= to) {
            throw new MalformedFrame(from, "expected a literal, found the end of the block");
        }
        Arrays.fill(bytes, 0, size, in[from]);
        return from + 1;
    }

    private void huffman(int type, int format, byte[] in, int from, int to, int requested) {
        int start = from;
        if (type == TREELESS) {
            if (!table.isThere()) {
                throw new MalformedFrame(from, "literals need the table of an earlier block, and there is none");
            }
        } else {
            start = table.read(in, from, to);
        }
        if (format == 0) {
            streams.decodeOne(table.entries(), in, start, to, bytes, size, requested);
        } else {
            streams.decodeFour(table.entries(), in, start, to, bytes, size, requested);
        }
    }
}
