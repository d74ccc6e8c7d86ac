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
 * Describes new arrays of N5. Dimensions keep their order: the first one of the request is N5's first, which varies
 * fastest in a block. Stateless.
 */
final class NewBlocks implements ArrayCreation {
    private static final String WHAT = "an array of N5: expected ";
    private static final long USUAL_BYTES = 1 << 20;
    /** Boxes of blocks are held in memory. */
    private static final long WRITTEN_BYTES = 16 << 20;

    /** Empty: arrays have any number of dimensions, of any names. */
    @Override
    public List<String> dimensions() {
        return List.of();
    }

    @Override
    public Optional<String> encodingLike(List<StatedCodec> codecs) {
        return LikeCodecs.encoding(codecs);
    }

    @Override
    public NewArray describe(Request request) {
        if (!N5Array.TYPES.contains(request.dataType())) {
            throw new MetadataException(
                    WHAT + "one of the types " + new TreeSet<>(N5Array.TYPES) + ", found " + request.dataType());
        }
        if (request.shardShape().isPresent()) {
            throw new MetadataException(WHAT + "no shards, which N5 does not have, found the shard shape "
                    + Arrays.toString(request.shardShape().get()));
        }
        long[] shape = request.shape();
        if (shape.length == 0) {
            throw new MetadataException(WHAT + "at least one dimension, found none");
        }
        int size = N5Array.size(request.dataType());
        long[] block = request.chunkShape().orElseGet(() -> usualBlock(shape, size));
        Json.Obj attributes = N5Array.attributes(
                shape,
                block,
                request.dataType(),
                N5Compression.of(request.encoding().orElse("gzip"), size));
        attributes = withOthers(attributes, request);
        return new NewArray(
                "",
                N5Array.document(attributes),
                N5Format.DOCUMENT,
                Bytes.of(attributes.toString().getBytes(StandardCharsets.UTF_8)),
                grown(block, shape, size));
    }

    /** Adds the attributes of the user, and the names of dimensions as {@code axes}, where tensorstore stores them. */
    private static Json.Obj withOthers(Json.Obj attributes, Request request) {
        Json.Obj all = attributes;
        for (var attribute : request.attributes().members().entrySet()) {
            if (N5Array.RESERVED.contains(attribute.getKey())) {
                throw new MetadataException(WHAT + "no attribute " + attribute.getKey()
                        + ", a name that N5 itself uses, found " + attribute.getValue());
            }
            all = all.with(attribute.getKey(), attribute.getValue());
        }
        if (request.dimensionNames().isEmpty()) {
            return all;
        }
        Json names =
                new Json.Arr(request.dimensionNames().stream().map(Json::of).toList());
        Json stored = all.get(N5Array.AXES).orElse(names);
        if (!stored.equals(names)) {
            throw new MetadataException(WHAT + "the names of the dimensions " + names
                    + " in the attribute axes, where N5 stores them, found " + stored);
        }
        return all.with(N5Array.AXES, names);
    }

    /** Returns about a mebibyte of elements: the longest dimension is halved until it fits. */
    private static long[] usualBlock(long[] shape, int size) {
        long[] block = Arrays.stream(shape)
                .map(n -> Math.min(Math.max(1, n), USUAL_BYTES))
                .toArray();
        while (bytes(block, size) > USUAL_BYTES) {
            int longest = 0;
            for (int d = 1; d < block.length; d++) {
                longest = block[d] > block[longest] ? d : longest;
            }
            block[longest] = (block[longest] + 1) / 2;
        }
        return block;
    }

    /** Returns a box of whole blocks that is worth a call: each dimension is doubled in turn while it fits. */
    private static long[] grown(long[] block, long[] shape, int size) {
        long[] box = block.clone();
        boolean isLarger = true;
        while (isLarger) {
            isLarger = false;
            for (int d = 0; d < box.length; d++) {
                if (box[d] < shape[d] && bytes(box, size) <= WRITTEN_BYTES / 2) {
                    box[d] *= 2;
                    isLarger = true;
                }
            }
        }
        return box;
    }

    private static double bytes(long[] box, int size) {
        double bytes = size; // no overflow
        for (long n : box) {
            bytes *= n;
        }
        return bytes;
    }
}
