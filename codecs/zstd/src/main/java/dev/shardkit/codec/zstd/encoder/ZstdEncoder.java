package dev.shardkit.codec.zstd.encoder;

import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.XxHash64;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * Encodes Zstandard frames (RFC 8878) in plain Java: one frame, with its content size, an optional checksum, and a
 * window of at most 8 MiB, which every reader accepts. It encodes data in memory, not streams, and does not use
 * dictionaries. Incompressible data is stored, so that a frame is never longer than {@link #maxEncodedSize}.
 *
 * <p>An instance holds the tables and buffers of one worker, about 1 MiB for inner chunks of 64 KiB; a frame costs a
 * few small objects in addition to its output. Not thread-safe.
 */
public final class ZstdEncoder implements AutoCloseable {
    private static final int MAGIC = 0xFD2FB528;
    /** The size in bytes of the magic number, the descriptor, the window and the content size. */
    private static final int LONGEST_HEADER = 4 + 1 + 1 + 4;
    /** The size of a checksum in bytes. */
    private static final int CHECKSUM = 4;
    /** The size of a block's header in bytes. */
    private static final int BLOCK_HEADER = 3;
    /** The flag of a frame whose window is its content. */
    private static final int SINGLE_SEGMENT = 1 << 5;

    private static final int HAS_CHECKSUM = 1 << 2;
    /**
     * The number of bytes after the frame in the array that may be overwritten: the encoder writes whole words, and it
     * writes tables before it knows that they are too long.
     */
    private static final int SLACK = 512;

    /** The type of a stored block. */
    private static final int RAW = 0;
    /** The type of a block that repeats one byte. */
    private static final int RLE = 1;
    /** The type of a compressed block. */
    private static final int COMPRESSED = 2;
    /** The size of a block in bytes from which compression is tried; shorter blocks are stored. */
    private static final int FEWEST = 16;

    private final SearchEffort effort;
    private final MatchFinder finder;
    private final BlockSequences parts = new BlockSequences();
    private final LiteralsWriter literals = new LiteralsWriter();
    private final SequencesWriter sequences = new SequencesWriter();

    private ZstdEncoder(SearchEffort effort) {
        this.effort = effort;
        this.finder = effort.finder();
    }

    /** Creates an encoder for one worker. */
    public static ZstdEncoder ofLevel(int level) {
        return new ZstdEncoder(SearchEffort.of(level));
    }

    /** Encodes {@code in} as one frame in new memory; the scratch keeps the encoder. */
    public static Bytes write(HeapBytes in, int level, Trailer trailer, Scratch scratch) {
        SearchEffort effort = SearchEffort.of(level);
        long maximum = maxEncodedSize(in.size());
        if (maximum > Limits.LARGEST_CHUNK) {
            throw new UnsupportedException("zstd: " + in.size() + " bytes exceed the limit of one frame");
        }
        CodecOutput out = CodecOutput.encoding(maximum, scratch);
        ZstdEncoder encoder = scratch.state(effort, () -> new ZstdEncoder(effort));
        out.advance(encoder.encode(in, trailer, out.array(), 0));
        return out.copy();
    }

    /** Returns the size of the memory that is enough to write a frame with {@code size} bytes of content. */
    public static long maxEncodedSize(long size) {
        return size + LONGEST_HEADER + CHECKSUM + BLOCK_HEADER * (size / ZstdFrame.LARGEST_BLOCK + 1) + SLACK;
    }

    /** Writes one frame to {@code outOffset}, where there is room for {@link #maxEncodedSize}; returns its size. */
    public int encode(HeapBytes in, Trailer trailer, byte[] out, int outOffset) {
        int position = header(in.size(), trailer, out, outOffset);
        int from = in.from();
        finder.begin(from, in.size());
        parts.beginFrame();
        do {
            int to = Math.min(in.to(), from + Math.min(in.to() - from, ZstdFrame.LARGEST_BLOCK));
            position = block(in, from, to, out, position);
            from = to;
        } while (from < in.to());
        if (trailer == Trailer.CHECKSUM) {
            Words.int32(out, position, (int) XxHash64.of(in.array(), in.from(), in.to()));
            position += CHECKSUM;
        }
        return position - outOffset;
    }

    /** Writes the frame header; returns its end. The window is as large as the content, or as the level's window. */
    private int header(int size, Trailer trailer, byte[] out, int start) {
        Words.int32(out, start, MAGIC);
        boolean single = size <= 1 << effort.windowLog();
        int flag = size < 256 ? 0 : size < 65536 + 256 ? 1 : 2; // the content size takes 1, 2 or 4 bytes
        out[start + 4] =
                (byte) (flag << 6 | (single ? SINGLE_SEGMENT : 0) | (trailer == Trailer.CHECKSUM ? HAS_CHECKSUM : 0));
        int position = start + 5;
        if (!single) {
            out[position++] = (byte) (effort.windowLog() - 10 << 3);
        }
        switch (flag) {
            case 0 -> out[position] = (byte) size;
            case 1 -> Words.int16(out, position, size - 256);
            default -> Words.int32(out, position, size);
        }
        return position + (1 << flag);
    }

    /** Writes a block in the shortest form; returns its end. */
    private int block(HeapBytes in, int from, int to, byte[] out, int offset) {
        byte[] array = in.array();
        int n = to - from;
        int last = to == in.to() ? 1 : 0;
        int start = offset + BLOCK_HEADER;
        if (n > 1 && Arrays.mismatch(array, from, to - 1, array, from + 1, to) < 0) {
            blockHeader(out, offset, n, RLE, last);
            out[start] = array[from];
            return start + 1;
        }
        if (n >= FEWEST) {
            parts.beginBlock(n);
            finder.find(array, Math.max(in.from(), to - (1 << effort.windowLog())), from, to, parts);
            int limit = start + n - 1;
            int end = literals.write(parts.literals(), parts.literalCount(), out, start, limit);
            end = end < 0 ? end : sequences.write(parts, out, end, limit);
            if (end >= 0) {
                blockHeader(out, offset, end - start, COMPRESSED, last);
                return end;
            }
            parts.undo();
        }
        blockHeader(out, offset, n, RAW, last);
        System.arraycopy(array, from, out, start, n);
        return start + n;
    }

    private static void blockHeader(byte[] out, int offset, int size, int type, int last) {
        int header = size << 3 | type << 1 | last;
        out[offset] = (byte) header;
        Words.int16(out, offset + 1, header >>> 8);
    }

    /** Does nothing: an encoder holds only memory. */
    @Override
    public void close() {}
}
