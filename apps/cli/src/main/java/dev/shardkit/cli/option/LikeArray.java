package dev.shardkit.cli.option;

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
public final class LikeArray {
    private LikeArray() {}

    /**
     * Returns the specification.
     *
     * @param shape the new shape; null for that of the existing array
     * @param type the new data type; null for that of the existing array, with its fill value
     * @param shards whether the new array has the shards of the existing one
     * @param target whose array the new one is
     */
    public static ArraySpec spec(
            String url,
            @Nullable Lengths shape,
            @Nullable Json type,
            Shards shards,
            Target target,
            ZarrOptions options) {
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
            if (like.isSharded()
                    && codecs.size() == 1
                    && sharding(codecs.get(0)).isEmpty()) {
                return ofOtherShards(spec, like, codecs, shards, target);
            }
            return shards == Shards.REMOVED && like.isSharded()
                    ? spec.withChunkShape(like.chunkShape()).withCodecs(innermost(codecs))
                    : layout(spec, like, codecs, target, document);
        }
    }

    /** Adds the layout of an array whose shards are those of another format, such as the cubes of webknossos-wrap. */
    private static ArraySpec ofOtherShards(
            ArraySpec spec, ZarrArray like, List<Json> codecs, Shards shards, Target target) {
        ArraySpec chunks = spec.withChunkShape(like.chunkShape());
        ArraySpec all = shards == Shards.REMOVED ? chunks : chunks.withShardShape(like.storedChunkShape());
        return target == Target.ZARR ? all : all.withCodecs(codecs.toArray(Json[]::new));
    }

    /** Whose array the new one is. */
    public enum Target {
        ZARR,
        /** Shards have no index with codecs of its own. */
        OTHER
    }

    /** Whether the new array has the shards of the existing one. */
    public enum Shards {
        KEPT,
        REMOVED
    }

    /** Returns the codecs of the innermost inner chunks. */
    private static Json[] innermost(List<Json> codecs) {
        for (Json codec : codecs) {
            Optional<Json.Obj> sharding = sharding(codec);
            if (sharding.isPresent()) {
                return innermost(list(sharding.get(), "codecs"));
            }
        }
        return codecs.toArray(Json[]::new);
    }

    /** Returns the configuration of {@code sharding_indexed}; empty if it is another codec. */
    private static Optional<Json.Obj> sharding(Json codec) {
        return codec instanceof Json.Obj object && object.get("name").equals(Optional.of(Json.of("sharding_indexed")))
                ? object.get("configuration").map(Json.Obj.class::cast)
                : Optional.empty();
    }

    private static ArraySpec layout(
            ArraySpec spec, ZarrArray like, List<Json> codecs, Target target, Json.Obj document) {
        boolean regular = like.metadata().chunkGrid().name().equals("regular");
        if (!regular || like.isSharded() && codecs.size() > 1) {
            return spec.withChunkGrid(document.get("chunk_grid").orElseThrow()).withCodecs(codecs.toArray(Json[]::new));
        } else if (!like.isSharded()) {
            return spec.withChunkShape(like.chunkShape()).withCodecs(codecs.toArray(Json[]::new));
        }
        Json.Obj sharding = sharding(codecs.get(0)).orElseThrow();
        ArraySpec chunks = spec.withChunkShape(like.chunkShape())
                .withShardShape(like.storedChunkShape())
                .withCodecs(list(sharding, "codecs").toArray(Json[]::new));
        if (target == Target.OTHER) {
            return chunks;
        }
        ArraySpec sharded =
                chunks.withIndexCodecs(list(sharding, "index_codecs").toArray(Json[]::new));
        return sharding.get("index_location").orElseGet(Json.Null::new) instanceof Json.Str location
                ? sharded.withIndexLocation(
                        IndexLocation.valueOf(location.value().toUpperCase(Locale.ROOT)))
                : sharded;
    }

    private static List<Json> list(Json.Obj object, String name) {
        return object.get(name).orElseGet(Json.Null::new) instanceof Json.Arr list ? list.items() : List.of();
    }
}
