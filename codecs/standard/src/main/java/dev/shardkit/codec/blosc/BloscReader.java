package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.corrupt;
import static dev.shardkit.codec.blosc.BloscHeader.int32;

import dev.shardkit.codec.support.ByteShuffle;
import dev.shardkit.spi.plan.Scratch;

/**
 * Decodes one frame of Blosc, whose header has been checked, or a part of it. The caller provides the memory for the
 * result.
 *
 * <p>After the header, a frame has the starts of its blocks, then the blocks. A block is one stream, or, if it is
 * split, one stream for each byte of an element. Each stream begins with its length in 4 bytes. If this length equals
 * the decoded size, the stream is stored uncompressed.
 */
final class BloscReader {
    private static final byte[] NONE = {};

    private final BloscHeader header;
    private final byte[] in;
    /** The start of the frame in {@link #in}. */
    private final int position;
    /** The end of the frame in {@link #in}. */
    private final int end;

    /** Creates a reader of the frame at {@code offset}. */
    BloscReader(BloscHeader header, byte[] in, int offset) {
        this.header = header;
        this.in = in;
        this.position = offset;
        this.end = offset + header.cbytes();
    }

    /**
     * Checks all streams without expanding them: they must lie inside the frame, must not overlap, and must be long
     * enough for their claimed decoded size. Afterwards the decoded size may be allocated.
     */
    void check() {
        if (header.memcpyed()) {
            return;
        }
        long usedSize = BloscHeader.SIZE + 4L * header.blocks();
        for (int block = 0; block < header.blocks(); block++) {
            int size = header.sizeOf(block);
            int streams = streams(size);
            int from = start(block);
            for (int s = 0; s < streams; s++) {
                int length = streamLength(from, block);
                if (length != size / streams && !header.format().canExpand(length, size / streams)) {
                    throw corrupt(
                            "at most the expansion of " + length + " bytes",
                            "a stream of " + size / streams + " bytes");
                }
                usedSize += 4L + length;
                from += 4 + length;
            }
        }
        if (usedSize > header.cbytes()) {
            throw corrupt("streams that share no bytes", usedSize + " bytes of streams in " + header.cbytes());
        }
    }

    /**
     * Decodes the part of the frame from {@code wantedFrom} to {@code wantedTo} to its position in {@code out}. The
     * rest of the first and the last block may contain any bytes.
     */
    void decode(int wantedFrom, int wantedTo, byte[] out, CompressedStreams streams, Scratch scratch) {
        if (wantedFrom >= wantedTo) {
            return;
        }
        Shuffle shuffle = header.shuffle();
        int mark = scratch.mark();
        int blocksize = header.blocksize();
        byte[] filtered = shuffle == Shuffle.NOSHUFFLE ? NONE : scratch.borrow(blocksize);
        byte[] planes = shuffle == Shuffle.BITSHUFFLE ? scratch.borrow(blocksize) : NONE;
        int last = (wantedTo - 1) / blocksize;
        for (int block = wantedFrom / blocksize; block <= last; block++) {
            int start = block * blocksize;
            int size = header.sizeOf(block);
            decodeBlock(
                    block,
                    Math.max(0, wantedFrom - start),
                    Math.min(size, wantedTo - start),
                    out,
                    start,
                    filtered,
                    planes,
                    streams);
        }
        scratch.reset(mark);
    }

    /**
     * Decodes the bytes {@code from} to {@code to} of a block, and maybe others, to their positions in the block's
     * output, which begins at {@code outOffset}.
     *
     * @param filtered memory for a block before its shuffle is reversed
     * @param planes memory for a block while its bits are unshuffled
     */
    private void decodeBlock(
            int block,
            int from,
            int to,
            byte[] out,
            int outOffset,
            byte[] filtered,
            byte[] planes,
            CompressedStreams streams) {
        int size = header.sizeOf(block);
        int typesize = header.typesize();
        Shuffle shuffle = header.shuffle().forBlock(typesize, size);
        if (shuffle == Shuffle.NOSHUFFLE) {
            expandBlock(block, size, from, to, out, outOffset, streams);
        } else if (shuffle == Shuffle.BITSHUFFLE) { // always the whole block
            expandBlock(block, size, 0, size, filtered, 0, streams);
            BitShuffle.unshuffle(typesize, size, filtered, 0, planes, out, outOffset);
        } else if (typesize == 2 && to - from == size && streams(size) == 2) {
            decodePairs(block, size, filtered, out, outOffset, streams);
        } else if (to - from == size || to > size - size % typesize) { // all, or some of the bytes after whole elements
            expandBlock(block, size, 0, size, filtered, 0, streams);
            ByteShuffle.unshuffle(typesize, size, filtered, 0, out, outOffset);
        } else {
            int count = size / typesize;
            int end = (to + typesize - 1) / typesize;
            expandPlanes(block, size, end, filtered, streams);
            ByteShuffle.unshuffle(typesize, count, from / typesize, end, filtered, 0, out, outOffset);
        }
    }

    /**
     * Decodes a block of 2-byte elements. The plane of lower bytes is often noise, and then stored uncompressed. In
     * this case it is unshuffled from the frame itself, without a copy.
     */
    private void decodePairs(
            int block, int size, byte[] filtered, byte[] out, int outOffset, CompressedStreams streams) {
        int count = size / 2;
        int low = start(block);
        boolean stored = streamLength(low, block) == count;
        int high = stored ? low + 4 + count : expandStream(block, low, count, count, filtered, 0, streams);
        expandStream(block, high, count, count, filtered, count, streams);
        ByteShuffle.unshuffle2(count, stored ? in : filtered, stored ? low + 4 : 0, filtered, count, out, outOffset);
    }

    /**
     * Expands as much of a block as the first {@code end} bytes of each plane require. The plane k has byte k of every
     * element.
     */
    private void expandPlanes(int block, int size, int end, byte[] out, CompressedStreams streams) {
        int count = size / header.typesize();
        if (streams(size) == 1) {
            expandBlock(block, size, 0, (header.typesize() - 1) * count + end, out, 0, streams);
            return;
        }
        int from = start(block);
        for (int k = 0; k < header.typesize(); k++) {
            from = expandStream(block, from, count, end, out, k * count, streams);
        }
    }

    /** Expands as much of a block as its bytes {@code wantedFrom} to {@code wantedTo} require. */
    private void expandBlock(
            int block, int size, int wantedFrom, int wantedTo, byte[] out, int outOffset, CompressedStreams streams) {
        int count = streams(size);
        int streamSize = size / count;
        int from = start(block);
        for (int s = 0; s < count; s++) {
            int requested = wantedFrom < (s + 1) * streamSize ? Math.min(streamSize, wantedTo - s * streamSize) : 0;
            from = expandStream(block, from, streamSize, requested, out, outOffset + s * streamSize, streams);
        }
    }

    /**
     * Expands at least the first {@code requested} bytes of the stream at {@code from}; returns the end of the stream.
     */
    private int expandStream(
            int block, int from, int size, int requested, byte[] out, int outOffset, CompressedStreams streams) {
        int length = streamLength(from, block);
        if (length == size && requested > 0) {
            System.arraycopy(in, from + 4, out, outOffset, requested);
        } else if (requested > 0) {
            streams.expand(header.format(), in, from + 4, length, out, outOffset, size, requested);
        }
        return from + 4 + length;
    }

    /** Returns the number of streams in a block of this size. */
    private int streams(int size) {
        int streams = header.streams(size);
        if (size % streams != 0) {
            throw corrupt("blocks of whole elements of " + header.typesize() + " bytes", size + " bytes");
        }
        return streams;
    }

    /** Returns the index in {@link #in} of a block's first stream. */
    private int start(int block) {
        int first = BloscHeader.SIZE + 4 * header.blocks();
        int start = int32(in, position + BloscHeader.SIZE + 4 * block);
        if (start < first || start >= header.cbytes()) {
            throw corrupt(
                    "block " + block + " to start in " + first + " to " + header.cbytes(), Integer.toString(start));
        }
        return position + start;
    }

    /** Returns the checked length of the stream at {@code from}. */
    private int streamLength(int from, int block) {
        int length = end - from < 4 ? -1 : int32(in, from);
        if (length <= 0 || length > end - from - 4) {
            throw corrupt(
                    "a stream of block " + block + " inside the frame", length + " bytes at " + (from - position));
        }
        return length;
    }
}
