package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteBuffer;

/**
 * The codec {@code imagecodecs_delta} of the Python library imagecodecs: TIFF's horizontal predictor. Stores the first
 * element along one dimension, then the differences of neighbours, which wrap around. Integers only. Immutable and
 * thread-safe.
 *
 * @param type the type of the elements
 * @param axis the dimension, counted from the last one: -1 is the last
 * @param shape the shape that the configuration names, for the metadata only: chunks at the edge may be smaller
 */
record RowDeltaCodec(NumpyTypeName type, int axis, Json shape) implements ArrayToArrayCodec {
    static final String NAME = "numcodecs.imagecodecs_delta";

    /** Rejects types other than integers. */
    RowDeltaCodec {
        if (!type.isWhole() || type.isBool()) {
            throw new MetadataException("codec " + NAME + ": expected a type of integers, found "
                    + type.dataType().name());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with("axis", Json.of(axis))
                .with("dist", Json.of(1))
                .with("shape", shape)
                .with("dtype", type.json());
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType chunk) {
        type.viewing(chunk.dataType(), NAME);
        int dimension = chunk.rank() + axis;
        if (dimension < 0) {
            throw new MetadataException(
                    "codec " + NAME + ": expected at least " + -axis + " dimensions, found " + chunk.rank());
        }
        int length = Math.toIntExact(chunk.shape()[dimension]);
        int step = 1;
        for (int d = dimension + 1; d < chunk.rank(); d++) {
            step = Math.multiplyExact(step, Math.toIntExact(chunk.shape()[d]));
        }
        int stride = step; // effectively final, for the lambdas
        return new WholeChunkConversion(
                chunk,
                chunk,
                (in, out, n) -> differences(in, out, n, length, stride),
                (in, out, n) -> sums(in, out, n, length, stride));
    }

    /**
     * Encodes {@code n} elements.
     *
     * @param length the number of elements along the dimension
     * @param step the distance of neighbours in this dimension, in elements
     */
    private void differences(ByteBuffer in, ByteBuffer out, int n, int length, int step) {
        long[] values = type.longs(in, n);
        for (int i = n - 1; i >= step; i--) {
            if (i / step % length != 0) {
                values[i] = type.wholeFormat().value(values[i] - values[i - step]);
            }
        }
        AstypeCast.store(values, type, type, out);
    }

    /** Decodes {@code n} elements; the parameters are as in {@link #differences}. */
    private void sums(ByteBuffer in, ByteBuffer out, int n, int length, int step) {
        long[] values = type.longs(in, n);
        for (int i = step; i < n; i++) {
            if (i / step % length != 0) {
                values[i] = type.wholeFormat().value(values[i] + values[i - step]);
            }
        }
        AstypeCast.store(values, type, type, out);
    }
}
