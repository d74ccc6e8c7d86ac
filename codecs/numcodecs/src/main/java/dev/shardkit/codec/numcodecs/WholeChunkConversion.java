package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import java.nio.ByteBuffer;

/**
 * Converts whole chunks, in C order, between the decoded and the encoded data type of a codec such as
 * {@code numcodecs.delta} or {@code numcodecs.quantize}. It does not support partial access
 * ({@link BoundArrayToArrayCodec.View}), because rounding and running sums do not map single elements to single
 * elements: an encoded fill value does not always decode to the fill value. Immutable and thread-safe.
 *
 * @param decoded the type of the decoded chunk
 * @param encoded the type of the encoded chunk
 * @param forth encodes elements
 * @param back decodes elements
 */
record WholeChunkConversion(ChunkType decoded, ChunkType encoded, Kernel forth, Kernel back)
        implements BoundArrayToArrayCodec {
    /** Converts all elements of a chunk. */
    @FunctionalInterface
    interface Kernel {
        /** Converts {@code n} elements. Words are little-endian. */
        void run(ByteBuffer in, ByteBuffer out, int n);
    }

    @Override
    public DenseChunk encode(DenseChunk chunk) {
        return run(forth, chunk, encoded);
    }

    @Override
    public DenseChunk decode(DenseChunk chunk) {
        return run(back, chunk, decoded);
    }

    private DenseChunk run(Kernel kernel, DenseChunk from, ChunkType type) {
        DenseChunk target = DenseChunk.filled(type);
        ByteBuffer in = ((Elements.Fixed) from.elements()).bytes();
        kernel.run(in, ((Elements.Fixed) target.elements()).bytes(), Math.toIntExact(decoded.count()));
        return target;
    }
}
