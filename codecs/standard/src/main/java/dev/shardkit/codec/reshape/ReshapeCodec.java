package dev.shardkit.codec.reshape;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.BoundArrayToArrayCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code reshape} codec (zarr-extensions): gives the elements of a chunk, in C order, another shape. It moves no
 * elements. But a box of the decoded shape is rarely a box of the encoded shape, so reading a part requires the whole
 * chunk. Immutable and thread-safe.
 *
 * @param extents the members of {@code shape}, one for each encoded dimension
 */
record ReshapeCodec(List<EncodedDimension> extents) implements ArrayToArrayCodec {
    static final String NAME = "reshape";
    static final String SHAPE = "shape";

    ReshapeCodec {
        extents = List.copyOf(extents);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(
                        SHAPE,
                        new Json.Arr(
                                extents.stream().map(EncodedDimension::json).toList()));
    }

    @Override
    public BoundArrayToArrayCodec bind(ChunkType decoded) {
        long[] sourceShape = decoded.shape();
        long[] targetShape = new long[extents.size()];
        int inferredDimension = -1;
        long knownProduct = 1;
        try {
            for (int i = 0; i < targetShape.length; i++) {
                inferredDimension = extents.get(i) instanceof EncodedDimension.Rest ? i : inferredDimension;
                targetShape[i] = length(extents.get(i), sourceShape);
                knownProduct = Math.multiplyExact(knownProduct, targetShape[i]);
            }
        } catch (ArithmeticException e) {
            throw refuse(sourceShape, "a product of more than 2^63-1");
        }
        if (inferredDimension >= 0) {
            if (knownProduct == 0 || decoded.count() % knownProduct != 0) {
                throw refuse(sourceShape, "a length of " + decoded.count() + " / " + knownProduct);
            }
            targetShape[inferredDimension] = decoded.count() / knownProduct;
        }
        if (Shapes.count(targetShape) != decoded.count()) {
            throw refuse(sourceShape, "shape " + Arrays.toString(targetShape));
        }
        checkPlaces(sourceShape, targetShape);
        return new Bound(decoded, decoded.withShape(targetShape));
    }

    /** Returns the length of an encoded dimension; 1 for the one that is inferred later. */
    private long length(EncodedDimension extent, long[] sourceShape) {
        if (extent instanceof EncodedDimension.Length l) {
            return l.length();
        }
        long product = 1;
        if (extent instanceof EncodedDimension.Of o) {
            for (long d : o.dimensions()) {
                if (d >= sourceShape.length) {
                    throw refuse(sourceShape, "dimension " + d);
                }
                product = Math.multiplyExact(product, sourceShape[(int) d]);
            }
        }
        return product;
    }

    /**
     * Checks each encoded dimension that combines decoded dimensions: the dimensions before it must have the same
     * product of lengths in both shapes, and so must the dimensions after it.
     */
    private void checkPlaces(long[] sourceShape, long[] targetShape) {
        for (int i = 0; i < targetShape.length; i++) {
            if (extents.get(i) instanceof EncodedDimension.Of o && o.dimensions().length > 0) {
                int first = (int) o.dimensions()[0];
                int last = (int) o.dimensions()[o.dimensions().length - 1];
                boolean matchesBefore = product(targetShape, 0, i) == product(sourceShape, 0, first);
                boolean matchesAfter = product(targetShape, i + 1, targetShape.length)
                        == product(sourceShape, last + 1, sourceShape.length);
                if (!matchesBefore || !matchesAfter) {
                    throw refuse(
                            sourceShape,
                            "dimensions " + Arrays.toString(o.dimensions()) + " in place " + i + " of shape "
                                    + Arrays.toString(targetShape));
                }
            }
        }
    }

    private static long product(long[] shape, int start, int end) {
        return Shapes.count(Arrays.copyOfRange(shape, start, end));
    }

    private MetadataException refuse(long[] sourceShape, String actual) {
        return new MetadataException("codec " + NAME + ": expected a shape of the elements of chunks of "
                + Arrays.toString(sourceShape) + ", found " + actual + " for "
                + configuration().get(SHAPE).orElseThrow());
    }

    /** The codec bound to a chunk type. */
    private record Bound(ChunkType decoded, ChunkType encoded) implements BoundArrayToArrayCodec {
        @Override
        public DenseChunk encode(DenseChunk chunk) {
            return DenseChunk.of(encoded, chunk.elements());
        }

        @Override
        public DenseChunk decode(DenseChunk chunk) {
            return DenseChunk.of(decoded, chunk.elements());
        }
    }
}
