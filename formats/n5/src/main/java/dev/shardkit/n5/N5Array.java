package dev.shardkit.n5;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.Extensions;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Converts {@code attributes.json} of an N5 dataset to the equivalent {@code zarr.json}. Stateless. */
final class N5Array {
    private static final String DIMENSIONS = "dimensions";
    private static final String BLOCK_SIZE = "blockSize";
    private static final String DATA_TYPE = "dataType";
    static final String VERSION = "n5";
    static final String AXES = "axes";
    /** The members of N5 itself. All others are user attributes. */
    static final Set<String> RESERVED =
            Set.of(VERSION, DIMENSIONS, BLOCK_SIZE, DATA_TYPE, N5Compression.MEMBER, N5Compression.FORMER_MEMBER);

    static final Set<String> TYPES =
            Set.of("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64");

    /** The headers of blocks store lengths of dimensions in 32 bits. */
    private static final long MAX_BLOCK_LENGTH = Integer.MAX_VALUE;

    private N5Array() {}

    /** Whether a node with these attributes is an array (in N5: a dataset). */
    static boolean isArray(Json.Obj attributes) {
        return attributes.get(DIMENSIONS).isPresent()
                && attributes.get(DATA_TYPE).isPresent();
    }

    /** Returns the attributes without the members of N5 itself. */
    static Json.Obj userAttributes(Json.Obj attributes) {
        Map<String, Json> userMembers = new LinkedHashMap<>(attributes.members());
        userMembers.keySet().removeAll(RESERVED);
        return new Json.Obj(userMembers);
    }

    /** Returns the size of an element in bytes. */
    static int elementSize(String type) {
        return Integer.parseInt(type.replaceAll("[a-z]", "")) / Byte.SIZE;
    }

    /** Returns the members of N5 itself for a new array. */
    static Json.Obj toAttributes(long[] shape, long[] blockShape, String type, Json compression) {
        return Json.object()
                .with(DIMENSIONS, Json.of(shape))
                .with(BLOCK_SIZE, Json.of(blockShape))
                .with(DATA_TYPE, Json.of(type))
                .with(N5Compression.MEMBER, compression);
    }

    /** Returns the equivalent {@code zarr.json}. */
    static Json.Obj toDocument(Json.Obj attributes) {
        Config config = new Config(attributes, N5Format.DOCUMENT + ": ", Extensions.none());
        long[] shape = config.requiredIntegers(DIMENSIONS, 0, Long.MAX_VALUE);
        long[] blockShape = config.requiredIntegers(BLOCK_SIZE, 1, MAX_BLOCK_LENGTH);
        if (shape.length == 0) {
            throw new MetadataException(config.at(DIMENSIONS) + ": expected at least one dimension, found none");
        }
        if (blockShape.length != shape.length) {
            throw new MetadataException(config.at(BLOCK_SIZE) + ": expected " + shape.length
                    + " lengths as in /dimensions, found " + blockShape.length);
        }
        String type = dataType(config);
        Json.Obj document = Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of(type))
                .with("chunk_grid", Json.extension("regular", Json.object().with("chunk_shape", Json.of(blockShape))))
                .with("chunk_key_encoding", Json.extension("v2", Json.object().with("separator", Json.of("/"))))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(List.of(blockCodec(shape.length, type, config))))
                .with("attributes", userAttributes(attributes));
        return dimensionNames(attributes, shape.length)
                .map(names -> document.with("dimension_names", names))
                .orElse(document);
    }

    private static String dataType(Config config) {
        Json type = config.json(DATA_TYPE).orElseThrow();
        if (type instanceof Json.Str s && TYPES.contains(s.value())) {
            return s.value();
        }
        if (type instanceof Json.Str s
                && (s.value().equals("object") || s.value().equals("string"))) {
            throw new UnsupportedException(
                    config.at(DATA_TYPE) + ": blocks of type " + s.value() + " have no counterpart in Zarr v3");
        }
        throw Config.expected(config.at(DATA_TYPE), "one of " + new java.util.TreeSet<>(TYPES), type);
    }

    /**
     * Returns the codec of the blocks. It reverses the dimensions, because the first dimension of a block varies
     * fastest.
     */
    private static Json blockCodec(int rank, String type, Config config) {
        long[] reversedOrder = new long[rank];
        for (int d = 0; d < rank; d++) {
            reversedOrder[d] = rank - 1 - d;
        }
        int size = elementSize(type);
        Json.Obj bytes = size == 1 ? Json.object() : Json.object().with("endian", Json.of("big"));
        List<Json> codecs = new ArrayList<>();
        codecs.add(Json.extension("transpose", Json.object().with("order", Json.of(reversedOrder))));
        codecs.add(Json.extension("bytes", bytes));
        N5Compression.codec(config, size).ifPresent(codecs::add);
        return Json.extension(BlockCodec.NAME, Json.object().with("codecs", new Json.Arr(codecs)));
    }

    /** Returns the names of dimensions in the attribute {@code axes}, which tensorstore and other libraries write. */
    private static Optional<Json> dimensionNames(Json.Obj attributes, int rank) {
        return attributes
                .get(AXES)
                .filter(json -> json instanceof Json.Arr names
                        && names.items().size() == rank
                        && names.items().stream().allMatch(Json.Str.class::isInstance));
    }
}
