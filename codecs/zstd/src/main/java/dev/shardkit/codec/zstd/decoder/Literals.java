package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.HuffmanStreams;
import dev.shardkit.codec.zstd.entropy.HuffmanTable;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import java.util.Arrays;

/**
 * The literals of a zstd block (RFC 8878, section 3.1.1.3.1), decoded into a slightly larger array, so that callers may
 * read whole words past the last literal. The Huffman table is kept from block to block of a frame. Not thread-safe.
 */
final class Literals {
    /** The number of bytes after the last literal that callers may read. */
    static final int SLACK = 32;

    /** The type of literals without compression. */
    private static final int RAW = 0;
    /** The type of one literal that is repeated. */
    private static final int RLE = 1;
    /** The type of literals in the Huffman code of an earlier block. Literals of type 2 have a code of their own. */
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
            int headerSize = format == 1 ? 2 : format == 3 ? 3 : 1;
            long word = readHeader(in, from, to, headerSize);
            setSize((int) (headerSize == 1 ? word >>> 3 : word >>> 4), from);
            return type == RAW ? copy(in, from + headerSize, to) : repeat(in, from + headerSize, to);
        }
        int headerSize = format < 2 ? 3 : format + 2;
        int width = format < 2 ? 10 : 4 * format + 6; // the number of bits of both sizes in the header
        long word = readHeader(in, from, to, headerSize) >>> 4;
        setSize((int) word & (1 << width) - 1, from);
        int start = from + headerSize;
        int length = (int) (word >>> width) & (1 << width) - 1;
        if (length > to - start) {
            throw new MalformedFrame(from, "expected " + length + " bytes of literals, found " + (to - start));
        }
        decodeHuffman(type, format, in, start, start + length, Math.min(requested, size));
        return start + length;
    }

    /** Reads a header as a little-endian number. */
    private static long readHeader(byte[] in, int from, int to, int size) {
        if (size > to - from) {
            throw new MalformedFrame(from, "expected " + size + " bytes of a header of literals, found " + (to - from));
        }
        long word = 0;
        for (int i = size - 1; i >= 0; i--) {
            word = word << 8 | in[from + i] & 0xff;
        }
        return word;
    }

    /** Sets the number of literals, which the header at {@code from} states. */
    private void setSize(int stated, int from) {
        if (stated > ZstdFrame.LARGEST_BLOCK) {
            throw new MalformedFrame(
                    from, "expected at most " + ZstdFrame.LARGEST_BLOCK + " literals, found " + stated);
        }
        size = stated;
    }

    private int copy(byte[] in, int from, int to) {
        if (size > to - from) {
            throw new MalformedFrame(from, "expected " + size + " literals, found " + (to - from));
        }
        System.arraycopy(in, from, bytes, 0, size);
        return from + size;
    }

    private int repeat(byte[] in, int from, int to) {
        if (from >= to) {
            throw new MalformedFrame(from, "expected a literal, found the end of the block");
        }
        Arrays.fill(bytes, 0, size, in[from]);
        return from + 1;
    }

    /** Decodes one stream of codes, or four. */
    private void decodeHuffman(int type, int format, byte[] in, int from, int to, int requested) {
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
