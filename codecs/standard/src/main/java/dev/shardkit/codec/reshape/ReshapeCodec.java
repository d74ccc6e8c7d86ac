package dev.shardkit.codec.reshape;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.Stage;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code reshape} codec (zarr-extensions): the same elements in C order with another shape. It moves no elements.
 * But a part of a chunk is rarely a box of the other shape, so reading a part requires the whole chunk. Immutable and
 * thread-safe.
 */
record ReshapeCodec(List<EncodedLength> extents) implements ArrayToArrayCodec {
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
                        new Json.Arr(extents.stream().map(EncodedLength::json).toList()));
    }

    @Override
    public Stage bind(ChunkType decoded) {
        long[] from = decoded.shape();
        long[] to = new long[extents.size()];
        int rest = -1;
        long known = 1;
        try {
            for (int i = 0; i < to.length; i++) {
                rest = extents.get(i) instanceof EncodedLength.Rest ? i : rest;
                to[i] = length(extents.get(i), from);
                known = Math.multiplyExact(known, to[i]);
            }
        } catch (ArithmeticException e) {
            throw refuse(from, "a product of more than 2^63-1");
        }
        if (rest >= 0) {
            if (known == 0 || decoded.count() % known != 0) {
                throw refuse(from, "a length of " + decoded.count() + " / " + known);
            }
            to[rest] = decoded.count() / known;
        }
        if (Shapes.count(to) != decoded.count()) {
            throw refuse(from, "shape " + Arrays.toString(to));
        }
        checkPlaces(from, to);
        return new Bound(decoded, decoded.withShape(to));
    }

    private long length(EncodedLength extent, long[] from) {
        if (extent instanceof EncodedLength.Length l) {
            return l.length();
        }
        long product = 1;
        if (extent instanceof EncodedLength.Of o) {
            for (long d : o.dimensions()) {
                if (d >= from.length) {
                    throw refuse(from, "dimension " + d);
                }
                product = Math.multiplyExact(product, from[(int) d]);
            }
        }
        return product;
    }

    /** Checks that a dimension that names decoded dimensions has as many elements before and after it on both sides. */
    private void checkPlaces(long[] from, long[] to) {
        for (int i = 0; i < to.length; i++) {
            if (extents.get(i) instanceof EncodedLength.Of o && o.dimensions().length > 0) {
                int first = (int) o.dimensions()[0];
                int last = (int) o.dimensions()[o.dimensions().length - 1];
                boolean before = product(to, 0, i) == product(from, 0, first);
                boolean behind = product(to, i + 1, to.length) == product(from, last + 1, from.length);
                if (!before || !behind) {
                    throw refuse(
                            from,
                            "dimensions " + Arrays.toString(o.dimensions()) + " in place " + i + " of shape "
                                    + Arrays.toString(to));
                }
            }
        }
    }

    private static long product(long[] shape, int start, int end) {
        return Shapes.count(Arrays.copyOfRange(shape, start, end));
    }

    private MetadataException refuse(long[] from, String found) {
        return new MetadataException("codec " + NAME + ": expected a shape of the elements of chunks of "
                + Arrays.toString(from) + ", found " + found + " for "
                + configuration().get(SHAPE).orElseThrow());
    }

    private record Bound(ChunkType decoded, ChunkType encoded) implements Stage {
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
