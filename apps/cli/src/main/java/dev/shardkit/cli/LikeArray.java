package dev.shardkit.cli;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Describes a new array like an existing one: everything but its elements and attributes. */
final class LikeArray {
    private LikeArray() {}

    /**
     * Returns the specification.
     *
     * @param shape the new shape; null for that of the existing array
     * @param type the new data type; null for that of the existing array, with its fill value
     * @param shards whether the new array has the shards of the existing one
     */
    static ArraySpec spec(
            String url, @Nullable Lengths shape, @Nullable Json type, Shards shards, ZarrOptions options) {
        try (ZarrArray like = Zarr.openArray(url, options)) {
            Json.Obj document = MetadataWriter.document(like.metadata());
            long[] lengths = shape != null ? shape.values() : like.shape();
            ArraySpec spec = ArraySpec.of(type != null ? type : like.dataType().json(), lengths);
            Optional<Json> fill = document.get("fill_value");
            spec = type == null && fill.isPresent() ? spec.withFillValue(fill.get()) : spec;
            if (like.dimensionNames().isPresent() && lengths.length == like.shape().length) {
                spec = spec.withDimensionNames(like.dimensionNames().get());
            }
            List<Json> codecs = list(document, "codecs");
            return shards == Shards.REMOVED && like.isSharded()
                    ? spec.withChunkShape(like.chunkShape()).withCodecs(innermost(codecs))
                    : layout(spec, like, codecs, document);
        }
    }

    /** Whether the new array has the shards of the existing one. */
    enum Shards {
        KEPT,
        REMOVED
    }

    /** Returns the codecs of the innermost inner chunks. */
    private static Json[] innermost(List<Json> codecs) {
        for (Json codec : codecs) {
            if (codec instanceof Json.Obj object
                    && object.get("name").equals(Optional.of(Json.of("sharding_indexed")))) {
                return innermost(list((Json.Obj) object.get("configuration").orElseThrow(), "codecs"));
            }
        }
        return codecs.toArray(Json[]::new);
    }

    private static ArraySpec layout(ArraySpec spec, ZarrArray like, List<Json> codecs, Json.Obj document) {
        boolean regular = like.metadata().chunkGrid().name().equals("regular");
        if (!regular || like.isSharded() && codecs.size() > 1) {
            return spec.withChunkGrid(document.get("chunk_grid").orElseThrow()).withCodecs(codecs.toArray(Json[]::new));
        } else if (!like.isSharded()) {
            return spec.withChunkShape(like.chunkShape()).withCodecs(codecs.toArray(Json[]::new));
        }
        Json.Obj sharding =
                (Json.Obj) ((Json.Obj) codecs.get(0)).get("configuration").orElseThrow();
        ArraySpec sharded = spec.withChunkShape(like.chunkShape())
                .withShardShape(like.storedChunkShape())
                .withCodecs(list(sharding, "codecs").toArray(Json[]::new))
                .withIndexCodecs(list(sharding, "index_codecs").toArray(Json[]::new));
        return sharding.get("index_location").orElseGet(Json.Null::new) instanceof Json.Str location
                ? sharded.withIndexLocation(
                        IndexLocation.valueOf(location.value().toUpperCase(Locale.ROOT)))
                : sharded;
    }

    private static List<Json> list(Json.Obj object, String name) {
        return object.get(name).orElseGet(Json.Null::new) instanceof Json.Arr list ? list.items() : List.of();
    }
}
