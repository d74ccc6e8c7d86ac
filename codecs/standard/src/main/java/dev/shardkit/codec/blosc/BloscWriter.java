package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.int32;

import dev.shardkit.codec.support.ByteShuffle;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.Objects;

/**
 * Encodes frames that c-blosc 1 reads, one at a time. Stores the data uncompressed if compression does not make it
 * smaller, or at level 0.
 *
 * <p>The default block size is 256 KiB for the fast formats and 1 MiB for zlib and zstd, so that a block and its
 * filtered copy stay in the processor's cache; for a bit shuffle it is a multiple of 8 elements. A configured block
 * size is limited as in c-blosc: at least 128 bytes, at most the size of the data, rounded down to a multiple of the
 * element size.
 */
final class BloscWriter {
    /** Smaller data is always stored, as in c-blosc. */
    private static final int MIN_COMPRESSED = 128;

    /** The default size of blocks for all compressors except zlib and zstd. */
    private static final int FAST_BLOCK = 256 << 10;
    /** The default size of blocks for zlib and zstd. */
    private static final int SLOW_BLOCK = 1 << 20;

    private final BloscSettings settings;
    private final CompressedFormat format;
    private final Shuffle shuffle;
    private final int typesize;
    private final CompressedStreams streams;
    private final Scratch scratch;

    /** Creates a writer from complete settings. */
    BloscWriter(BloscSettings settings, CompressedStreams streams, Scratch scratch) {
        int elementSize = Objects.requireNonNull(settings.typesize());
        this.settings = settings;
        this.format = settings.compressor().format();
        this.shuffle = Objects.requireNonNull(settings.shuffle());
        this.typesize = elementSize > BloscHeader.MAX_TYPESIZE ? 1 : elementSize;
        this.streams = streams;
        this.scratch = scratch;
    }

    /** Encodes {@code length} bytes, at most {@link BloscHeader#MAX_BYTES}, as one frame. */
    byte[] encode(byte[] in, int offset, int length) {
        int blocksize = blocksize(length);
        if (settings.level() > 0 && length >= MIN_COMPRESSED) {
            // As in c-blosc, blocks are not split for zlib and zstd, which find repetitions in a long stream as well.
            boolean split = shuffle == Shuffle.SHUFFLE
                    && format != CompressedFormat.ZLIB
                    && format != CompressedFormat.ZSTD
                    && BloscHeader.splittable(typesize, blocksize);
            BloscHeader header = new BloscHeader(format, shuffle, false, split, typesize, length, blocksize, 0);
            int mark = scratch.mark();
            byte[] frame = new Blocks(header, in, offset).compress();
            scratch.reset(mark);
            if (frame.length > 0) {
                return frame;
            }
        }
        byte[] frame = new byte[length + BloscHeader.SIZE];
        System.arraycopy(in, offset, frame, BloscHeader.SIZE, length);
        new BloscHeader(format, shuffle, true, false, typesize, length, blocksize, frame.length).write(frame);
        return frame;
    }

    /** Returns the size of the blocks of a frame of {@code length} bytes. */
    private int blocksize(int length) {
        int unit = typesize;
        int size = settings.blocksize();
        if (size == 0) {
            size = format == CompressedFormat.ZLIB || format == CompressedFormat.ZSTD ? SLOW_BLOCK : FAST_BLOCK;
            unit = shuffle == Shuffle.BITSHUFFLE && length >= 8 * typesize ? 8 * typesize : typesize;
        }
        size = Math.min(Math.min(Math.max(size, MIN_COMPRESSED), BloscHeader.MAX_BLOCKSIZE), Math.max(length, 1));
        return size < unit ? size : size / unit * unit;
    }

    /** Writes the blocks of one frame. */
    private final class Blocks {
        private final BloscHeader header;
        private final byte[] in;
        private final int position;
        /** The shuffled bytes of a block. */
        private final byte[] filtered;
        /** The buffer of {@link BitShuffle}. */
        private final byte[] planes;

        private final byte[] frame;
        /** The largest size of a frame that is still smaller than a frame of stored data. */
        private final int limit;
        /** The current size of the frame. */
        private int end;

        Blocks(BloscHeader header, byte[] in, int offset) {
            this.header = header;
            this.in = in;
            this.position = offset;
            int block = header.blocksize();
            this.filtered = scratch.borrow(header.shuffle() == Shuffle.NOSHUFFLE ? 0 : block);
            this.planes = scratch.borrow(header.shuffle() == Shuffle.BITSHUFFLE ? block : 0);
            this.limit = header.nbytes() + BloscHeader.SIZE - 1;
            this.frame = scratch.borrow(limit);
        }

        /** Returns the frame; empty if it would be no smaller than stored data. */
        byte[] compress() {
            long starts = BloscHeader.SIZE + 4L * header.blocks();
            if (starts > limit) {
                return new byte[0];
            }
            end = (int) starts;
            for (int block = 0; block < header.blocks(); block++) {
                int32(frame, BloscHeader.SIZE + 4 * block, end);
                if (!write(block)) {
                    return new byte[0];
                }
            }
            header.withLength(end).write(frame);
            return Arrays.copyOf(frame, end);
        }

        /** Appends a block. Returns false if the frame became too large. */
        private boolean write(int block) {
            int size = header.sizeOf(block);
            int from = position + block * header.blocksize();
            Shuffle filter = header.shuffle().forBlock(typesize, size);
            if (filter == Shuffle.SHUFFLE) {
                ByteShuffle.shuffle(typesize, size, in, from, filtered, 0);
            } else if (filter == Shuffle.BITSHUFFLE) {
                BitShuffle.shuffle(typesize, size, in, from, planes, filtered, 0);
            }
            byte[] source = filter == Shuffle.NOSHUFFLE ? in : filtered;
            int filteredStart = filter == Shuffle.NOSHUFFLE ? from : 0;
            int streamSize = size / header.streams(size);
            for (int streamStart = 0; streamStart < size; streamStart += streamSize) {
                if (!writeStream(source, filteredStart + streamStart, streamSize)) {
                    return false;
                }
            }
            return true;
        }

        /** Appends a stream, uncompressed if that is not larger. Returns false if the frame became too large. */
        private boolean writeStream(byte[] source, int from, int size) {
            int capacity = Math.min(size - 1, limit - end - 4);
            int length = capacity <= 0
                    ? CompressedStreams.NO_ROOM
                    : streams.compress(
                            settings.compressor(),
                            settings.level(),
                            source,
                            from,
                            size,
                            frame,
                            end + 4,
                            capacity,
                            scratch);
            if (length == CompressedStreams.NO_ROOM) {
                if (size > limit - end - 4) {
                    return false;
                }
                System.arraycopy(source, from, frame, end + 4, size);
                length = size;
            }
            int32(frame, end, length);
            end += 4 + length;
            return true;
        }
    }
}
