package dev.shardkit.blosc2;

import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * The codec {@code blosc2.frame}: each value is a contiguous frame, as HDF5's filter 32026 stores chunks. Decodes the
 * chunks of the frame one after the other, or, if it has the metalayer of an array, the array in C order. Encodes
 * frames of one chunk without compression. Its name is specific to shardkit. Immutable and thread-safe.
 */
record FrameCodec() implements BytesToBytesCodec {
    static final String NAME = "blosc2.frame";
    /** Blocks of up to 8 dimensions, each padded to twice its length; the filter of HDF5 allows no more. */
    private static final long MAX_PADDING = 1 << 8;
    /** Header, index of chunks and trailer. */
    private static final long ROOM = 1 << 16;
    /** The memory that the padding of an array may take beyond the array itself. */
    private static final long SMALL_BLOCK = 1 << 16;

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
        if (decoded.size() > Limits.LARGEST_CHUNK - ROOM) {
            throw new UnsupportedException(NAME + ": expected at most " + (Limits.LARGEST_CHUNK - ROOM)
                    + " bytes in one chunk, found " + decoded.size());
        }
        return PlainFrame.of(decoded);
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        try {
            return decoded(encoded, expected, scratch);
        } catch (ArithmeticException e) {
            throw new CorruptDataException("blosc2 frame: expected sizes below 2^63 bytes, found larger ones", e);
        }
    }

    private static Bytes decoded(Bytes encoded, DecodedSize expected, Scratch scratch) {
        WholeFrame frame = WholeFrame.of(HeapBytes.of(encoded, scratch, NAME));
        long size = frame.decodedSize();
        expected.check(size, NAME + " decoded");
        checkIndex(frame.chunks(), size);
        frame.array().ifPresent(shapes -> checkBlock(shapes, size));
        long[] offsets = frame.offsets(scratch);
        CodecOutput out = CodecOutput.decoding(expected, size, scratch);
        if (frame.array().isPresent()) {
            ArrayChunks chunks = new ArrayChunks(frame, frame.array().get(), out.array());
            for (int i = 0; i < offsets.length; i++) {
                chunks.decode(i, offsets[i], scratch);
            }
        } else {
            for (int i = 0; i < offsets.length; i++) {
                frame.decode(i, offsets[i], out.array(), scratch);
            }
        }
        out.advance((int) size);
        return out.borrowed();
    }

    /** A frame of a few bytes may claim any number of chunks. */
    private static void checkIndex(long chunks, long size) {
        if (chunks > 1 && chunks > size / Long.BYTES) {
            throw new CorruptDataException(
                    NAME + ": expected at most " + size / Long.BYTES + " chunks of 8 bytes or more, found " + chunks);
        }
    }

    private static void checkBlock(B2ndShapes array, long size) {
        for (int d = 0; d < array.block().length; d++) {
            if (array.block()[d] > array.chunk()[d]) {
                throw new CorruptDataException("b2nd: expected blocks of at most " + array.chunk()[d]
                        + " elements in dimension " + d + ", found " + array.block()[d]);
            }
        }
        if (array.blockBytes() > Math.max(size, SMALL_BLOCK)) {
            throw new CorruptDataException("b2nd: expected blocks of at most " + Math.max(size, SMALL_BLOCK)
                    + " bytes in an array of " + size + ", found " + array.blockBytes());
        }
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return MAX_PADDING * decodedSize + ROOM;
    }
}
