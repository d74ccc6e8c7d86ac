package dev.shardkit.n5;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Translates a request for a new array to the {@code attributes.json} of an N5 dataset. The order of dimensions is
 * unchanged: the first dimension of the request is the first one in N5, and varies fastest in a block. Stateless.
 */
final class N5ArrayCreation implements ArrayCreation {
    private static final String EXPECTED = "an array of N5: expected ";
    private static final long DEFAULT_BLOCK_BYTES = 1 << 20;
    /** The maximum size of a box that a copy writes at once, because the box is held in memory. */
    private static final long MAX_WRITE_BYTES = 16 << 20;

    /** Returns an empty list: number and names of dimensions are arbitrary. */
    @Override
    public List<String> dimensions() {
        return List.of();
    }

    @Override
    public Optional<String> encodingLike(List<StatedCodec> codecs) {
        return EquivalentCompression.find(codecs);
    }

    @Override
    public NewArray describe(Request request) {
        if (!N5Array.TYPES.contains(request.dataType())) {
            throw new MetadataException(
                    EXPECTED + "one of the types " + new TreeSet<>(N5Array.TYPES) + ", found " + request.dataType());
        }
        if (request.shardShape().isPresent()) {
            throw new MetadataException(EXPECTED + "no shards, which N5 does not have, found the shard shape "
                    + Arrays.toString(request.shardShape().get()));
        }
        long[] shape = request.shape();
        if (shape.length == 0) {
            throw new MetadataException(EXPECTED + "at least one dimension, found none");
        }
        int elementSize = N5Array.elementSize(request.dataType());
        long[] blockShape = request.chunkShape().orElseGet(() -> defaultBlockShape(shape, elementSize));
        Json.Obj attributes = N5Array.toAttributes(
                shape,
                blockShape,
                request.dataType(),
                N5Compression.create(request.encoding().orElse("gzip"), elementSize));
        attributes = withUserAttributes(attributes, request);
        return new NewArray(
                "",
                N5Array.toDocument(attributes),
                N5Format.DOCUMENT,
                Bytes.of(attributes.toString().getBytes(StandardCharsets.UTF_8)),
                writeShape(blockShape, shape, elementSize));
    }

    /** Adds the user's attributes, and the names of dimensions as the attribute {@code axes}, like tensorstore. */
    private static Json.Obj withUserAttributes(Json.Obj attributes, Request request) {
        Json.Obj result = attributes;
        for (var attribute : request.attributes().members().entrySet()) {
            if (N5Array.RESERVED.contains(attribute.getKey())) {
                throw new MetadataException(EXPECTED + "no attribute " + attribute.getKey()
                        + ", a name that N5 itself uses, found " + attribute.getValue());
            }
            result = result.with(attribute.getKey(), attribute.getValue());
        }
        if (request.dimensionNames().isEmpty()) {
            return result;
        }
        Json names =
                new Json.Arr(request.dimensionNames().stream().map(Json::of).toList());
        Json axes = result.get(N5Array.AXES).orElse(names);
        if (!axes.equals(names)) {
            throw new MetadataException(EXPECTED + "the names of the dimensions " + names
                    + " in the attribute axes, where N5 stores them, found " + axes);
        }
        return result.with(N5Array.AXES, names);
    }

    /** Returns a block of at most about 1 MiB: the longest dimension is halved until the block fits. */
    private static long[] defaultBlockShape(long[] shape, int elementSize) {
        long[] blockShape = Arrays.stream(shape)
                .map(length -> Math.min(Math.max(1, length), DEFAULT_BLOCK_BYTES))
                .toArray();
        while (byteCount(blockShape, elementSize) > DEFAULT_BLOCK_BYTES) {
            int longest = 0;
            for (int d = 1; d < blockShape.length; d++) {
                longest = blockShape[d] > blockShape[longest] ? d : longest;
            }
            blockShape[longest] = (blockShape[longest] + 1) / 2;
        }
        return blockShape;
    }

    /**
     * Returns the shape of boxes to write at once: a block, whose dimensions are doubled in turn while the box fits
     * into memory.
     */
    private static long[] writeShape(long[] blockShape, long[] shape, int elementSize) {
        long[] box = blockShape.clone();
        boolean isLarger = true;
        while (isLarger) {
            isLarger = false;
            for (int d = 0; d < box.length; d++) {
                if (box[d] < shape[d] && byteCount(box, elementSize) <= MAX_WRITE_BYTES / 2) {
                    box[d] *= 2;
                    isLarger = true;
                }
            }
        }
        return box;
    }

    private static double byteCount(long[] box, int elementSize) {
        double byteCount = elementSize; // a double, because a long could overflow
        for (long length : box) {
            byteCount *= length;
        }
        return byteCount;
    }
}
