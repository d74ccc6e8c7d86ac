package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * The codec {@code blosc2.frame}: each Zarr chunk is a contiguous Blosc2 frame, as the HDF5 filter 32026 writes it. If
 * the frame has the metalayer of an array, the decoder returns the array in C order, otherwise the decoded chunks of
 * the frame one after another. The encoder writes frames of one uncompressed chunk. The name is shardkit's own: the
 * HDF5 reader uses it. Immutable and thread-safe.
 */
record FrameCodec() implements BytesToBytesCodec {
    static final String NAME = "blosc2.frame";
    /** The maximum expansion by padding: each of 8 dimensions doubles. The filter of HDF5 allows no more dimensions. */
    private static final long MAX_PADDING = 1 << 8;
    /** The maximum size of header, index of chunks and trailer. */
    private static final long MAX_OVERHEAD = 1 << 16;
    /** Blocks up to this size are accepted even if the array is smaller. */
    private static final long MIN_BLOCK_LIMIT = 1 << 16;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        if (decoded.size() > Limits.LARGEST_CHUNK - MAX_OVERHEAD) {
            throw new UnsupportedException(NAME + ": expected at most " + (Limits.LARGEST_CHUNK - MAX_OVERHEAD)
                    + " bytes in one chunk, found " + decoded.size());
        }
        return UncompressedFrame.encode(decoded);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        try {
            return decodeFrame(encoded, expected, scratch);
        } catch (ArithmeticException e) {
            throw new CorruptDataException("blosc2 frame: expected sizes below 2^63 bytes, found larger ones", e);
        }
    }

    private static Bytes decodeFrame(Bytes encoded, DecodedSize expected, Scratch scratch) {
        InMemoryFrame frame = InMemoryFrame.parse(HeapBytes.of(encoded, scratch, NAME));
        long size = frame.decodedSize();
        expected.check(size, NAME + " decoded");
        requireChunkCount(frame.chunkCount(), size);
        frame.array().ifPresent(shapes -> requireBlockSize(shapes, size));
        long[] offsets = frame.readOffsets(scratch);
        CodecOutput output = CodecOutput.decoding(expected, size, scratch);
        if (frame.array().isPresent()) {
            ChunkDecoder chunks = new ChunkDecoder(frame, frame.array().get(), output.array());
            for (int i = 0; i < offsets.length; i++) {
                chunks.decode(i, offsets[i], scratch);
            }
        } else {
            for (int i = 0; i < offsets.length; i++) {
                frame.decode(i, offsets[i], output.array(), scratch);
            }
        }
        output.advance((int) size);
        return output.borrowed();
    }

    /**
     * Refuses more than one chunk for each 8 decoded bytes. A corrupt frame may claim any number of chunks, and the
     * index takes 8 bytes in memory for each. So the index never takes more memory than the decoded data. The chunks of
     * real frames are larger.
     */
    private static void requireChunkCount(long chunks, long size) {
        long maxChunks = size / Long.BYTES;
        if (chunks > 1 && chunks > maxChunks) {
            throw new CorruptDataException(
                    NAME + ": expected at most " + maxChunks + " chunks of 8 bytes or more, found " + chunks);
        }
    }

    /** Refuses blocks that are larger than the array needs, because a block is decoded into memory of its size. */
    private static void requireBlockSize(B2ndShapes array, long size) {
        for (int d = 0; d < array.block().length; d++) {
            if (array.block()[d] > array.chunk()[d]) {
                throw new CorruptDataException("b2nd: expected blocks of at most " + array.chunk()[d]
                        + " elements in dimension " + d + ", found " + array.block()[d]);
            }
        }
        if (array.blockBytes() > Math.max(size, MIN_BLOCK_LIMIT)) {
            throw new CorruptDataException("b2nd: expected blocks of at most " + Math.max(size, MIN_BLOCK_LIMIT)
                    + " bytes in an array of " + size + ", found " + array.blockBytes());
        }
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return MAX_PADDING * decodedSize + MAX_OVERHEAD;
    }
}
