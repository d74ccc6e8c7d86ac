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

/** Describes a new array with the layout of an existing one, for {@code --like}. Does not include its attributes. */
public final class LikeArray {
    private LikeArray() {}

    /**
     * Returns the specification.
     *
     * @param shape the new shape; null for that of the existing array
     * @param type the new data type; null for that of the existing array, with its fill value
     * @param shards whether the new array keeps the shards of the existing one
     * @param target the kind of format that the new array has
     */
    public static ArraySpec spec(
            String url,
            @Nullable Lengths shape,
            @Nullable Json type,
            Shards shards,
            Target target,
            ZarrOptions options) {
        try (ZarrArray source = Zarr.openArray(url, options)) {
            Json.Obj document = MetadataWriter.document(source.metadata());
            long[] lengths = shape != null ? shape.values() : source.shape();
            ArraySpec spec =
                    ArraySpec.of(type != null ? type : source.dataType().json(), lengths);
            Optional<Json> fill = document.get("fill_value");
            spec = type == null && fill.isPresent() ? spec.withFillValue(fill.get()) : spec;
            if (source.dimensionNames().isPresent() && lengths.length == source.shape().length) {
                spec = spec.withDimensionNames(source.dimensionNames().get());
            }
            List<Json> codecs = listOf(document, "codecs");
            boolean hasForeignShards = source.isSharded()
                    && codecs.size() == 1
                    && shardingConfiguration(codecs.get(0)).isEmpty();
            if (hasForeignShards) {
                return withForeignShards(spec, source, codecs, shards, target);
            }
            return shards == Shards.REMOVED && source.isSharded()
                    ? spec.withChunkShape(source.chunkShape()).withCodecs(innermost(codecs))
                    : withLayout(spec, source, codecs, target, document);
        }
    }

    /**
     * Adds the layout of an array whose shards belong to another format, such as the cubes of webknossos-wrap. A Zarr
     * array takes the default codecs, because it cannot use the codec of such a shard.
     */
    private static ArraySpec withForeignShards(
            ArraySpec spec, ZarrArray source, List<Json> codecs, Shards shards, Target target) {
        ArraySpec chunks = spec.withChunkShape(source.chunkShape());
        ArraySpec withShards = shards == Shards.REMOVED ? chunks : chunks.withShardShape(source.storedChunkShape());
        return target == Target.ZARR ? withShards : withShards.withCodecs(codecs.toArray(Json[]::new));
    }

    /** The kind of format of the new array. */
    public enum Target {
        ZARR,
        /** Another format: shards have no index with codecs of its own. */
        OTHER
    }

    /** Whether the new array keeps the shards of the existing one. */
    public enum Shards {
        KEPT,
        REMOVED
    }

    /** Returns the codecs of the innermost inner chunks. */
    private static Json[] innermost(List<Json> codecs) {
        for (Json codec : codecs) {
            Optional<Json.Obj> shardingConfiguration = shardingConfiguration(codec);
            if (shardingConfiguration.isPresent()) {
                return innermost(listOf(shardingConfiguration.get(), "codecs"));
            }
        }
        return codecs.toArray(Json[]::new);
    }

    /** Returns the configuration of {@code sharding_indexed}; empty if it is another codec. */
    private static Optional<Json.Obj> shardingConfiguration(Json codec) {
        return codec instanceof Json.Obj object && object.get("name").equals(Optional.of(Json.of("sharding_indexed")))
                ? object.get("configuration").map(Json.Obj.class::cast)
                : Optional.empty();
    }

    /** Adds grid, codecs and shards of the source. */
    private static ArraySpec withLayout(
            ArraySpec spec, ZarrArray source, List<Json> codecs, Target target, Json.Obj document) {
        boolean isRegular = source.metadata().chunkGrid().name().equals("regular");
        boolean isShardingOneOfSeveralCodecs = source.isSharded() && codecs.size() > 1;
        if (!isRegular || isShardingOneOfSeveralCodecs) {
            // withShardShape describes only a regular grid and sharding as the only codec; take both as they are.
            return spec.withChunkGrid(document.get("chunk_grid").orElseThrow()).withCodecs(codecs.toArray(Json[]::new));
        } else if (!source.isSharded()) {
            return spec.withChunkShape(source.chunkShape()).withCodecs(codecs.toArray(Json[]::new));
        }
        Json.Obj shardingConfiguration = shardingConfiguration(codecs.get(0)).orElseThrow();
        ArraySpec inShards = spec.withChunkShape(source.chunkShape())
                .withShardShape(source.storedChunkShape())
                .withCodecs(listOf(shardingConfiguration, "codecs").toArray(Json[]::new));
        if (target == Target.OTHER) {
            return inShards;
        }
        ArraySpec sharded = inShards.withIndexCodecs(
                listOf(shardingConfiguration, "index_codecs").toArray(Json[]::new));
        return shardingConfiguration.get("index_location").orElseGet(Json.Null::new) instanceof Json.Str location
                ? sharded.withIndexLocation(
                        IndexLocation.valueOf(location.value().toUpperCase(Locale.ROOT)))
                : sharded;
    }

    private static List<Json> listOf(Json.Obj object, String name) {
        return object.get(name).orElseGet(Json.Null::new) instanceof Json.Arr list ? list.items() : List.of();
    }
}
