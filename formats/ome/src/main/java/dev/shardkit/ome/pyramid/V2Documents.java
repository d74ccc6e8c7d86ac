package dev.shardkit.ome.pyramid;

import dev.shardkit.ArraySpec;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the metadata documents of Zarr v2 (storage specification version 2) for the groups and levels of OME-Zarr
 * 0.4, which is defined for Zarr v2 only. Stateless.
 */
final class V2Documents {
    static final String ARRAY = ".zarray";
    static final String GROUP = ".zgroup";
    static final String ATTRIBUTES = ".zattrs";

    /** The chunk key encoding {@code 0/1/2}, which OME-Zarr 0.4 recommends. */
    static final Json KEYS = Json.extension("v2", Json.object().with("separator", Json.of("/")));

    private static final String LEVEL = "level";
    /** The names of data types in Zarr v2 (NumPy), by their names in Zarr v3. */
    private static final Map<String, String> V2_TYPES = Map.ofEntries(
            Map.entry("bool", "|b1"),
            Map.entry("int8", "|i1"),
            Map.entry("int16", "<i2"),
            Map.entry("int32", "<i4"),
            Map.entry("int64", "<i8"),
            Map.entry("uint8", "|u1"),
            Map.entry("uint16", "<u2"),
            Map.entry("uint32", "<u4"),
            Map.entry("uint64", "<u8"),
            Map.entry("float16", "<f2"),
            Map.entry("float32", "<f4"),
            Map.entry("float64", "<f8"));
    /** The shuffles of Blosc in Zarr v3; Zarr v2 stores their index in this list. */
    private static final List<String> SHUFFLES = List.of("noshuffle", "shuffle", "bitshuffle");

    private V2Documents() {}

    static Json.Obj groupDocument() {
        return Json.object().with("zarr_format", Json.of(2));
    }

    /**
     * Returns the document {@code .zarray} of an array.
     *
     * @throws IllegalArgumentException if Zarr v2 cannot describe the array
     */
    static Json.Obj arrayDocument(ArraySpec spec) {
        String type = Optional.of(spec.dataType())
                .filter(Json.Str.class::isInstance)
                .map(json -> V2_TYPES.get(((Json.Str) json).value()))
                .orElseThrow(() -> unsupported("a boolean, integer or floating-point type", spec.dataType()));
        return groupDocument()
                .with("shape", Json.of(spec.shape()))
                .with("chunks", Json.of(spec.chunkShape().orElseThrow()))
                .with("dtype", Json.of(type))
                .with("compressor", compressorConfiguration(spec.codecs().orElse(List.of())))
                .with("fill_value", fillValue(spec.fillValue().orElseThrow()))
                .with("order", Json.of("C"))
                .with("filters", new Json.Null())
                .with("dimension_separator", Json.of("/"));
    }

    /** Returns the fill value. Refuses bit patterns of NaN, which Zarr v2 cannot express. */
    private static Json fillValue(Json fillValue) {
        if (fillValue instanceof Json.Str string && string.value().startsWith("0x")) {
            throw unsupported("a fill value that is a number", fillValue);
        }
        return fillValue;
    }

    private static Json compressorConfiguration(List<Json> codecs) {
        if (codecs.isEmpty()) {
            return new Json.Null();
        }
        if (codecs.size() > 1 || !(codecs.get(0) instanceof Json.Obj codec)) {
            throw unsupported("one of the codecs zstd, gzip, blosc", new Json.Arr(codecs));
        }
        Json.Obj configuration = codec.get("configuration")
                .filter(Json.Obj.class::isInstance)
                .map(Json.Obj.class::cast)
                .orElseGet(Json::object);
        String name = codec.get("name").map(V2Documents::stringValue).orElse("");
        return switch (name) {
            case "zstd", "gzip" ->
                withMembers(Json.object().with("id", Json.of(name)), configuration, List.of(LEVEL, "checksum"));
            case "blosc" ->
                withMembers(
                                Json.object().with("id", Json.of(name)),
                                configuration,
                                List.of("cname", "clevel", "blocksize"))
                        .with(
                                "shuffle",
                                Json.of(SHUFFLES.indexOf(configuration
                                        .get("shuffle")
                                        .map(V2Documents::stringValue)
                                        .orElse("noshuffle"))));
            default -> throw unsupported("one of the codecs zstd, gzip, blosc", codec);
        };
    }

    /** Copies members of a configuration, except those that are absent or false. */
    private static Json.Obj withMembers(Json.Obj codec, Json.Obj configuration, List<String> members) {
        Json.Obj result = codec;
        for (String member : members) {
            Optional<Json> value = configuration.get(member);
            if (value.isPresent() && !value.get().equals(Json.of(false))) {
                result = result.with(member, value.get());
            }
        }
        return result;
    }

    private static String stringValue(Json json) {
        return json instanceof Json.Str string ? string.value() : "";
    }

    private static IllegalArgumentException unsupported(String expected, Json found) {
        return new IllegalArgumentException(
                "OME-Zarr 0.4 is stored in Zarr v2: expected " + expected + ", found " + found);
    }
}
