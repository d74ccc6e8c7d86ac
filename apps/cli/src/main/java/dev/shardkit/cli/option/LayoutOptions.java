package dev.shardkit.cli.option;

import dev.shardkit.ArraySpec;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that describe a new array, except its shape and data type. */
public final class LayoutOptions {
    @Option(
            names = "--chunk-shape",
            paramLabel = "SHAPE",
            description =
                    "The shape of chunks (default: up to 1 MiB; in shards, up to a 16th of the shard, with a limit of "
                            + "64 KiB to 1 MiB; neuroglancer: 64, wkw: 32 in each direction).")
    private @Nullable Lengths chunkShape;

    @Option(
            names = "--shard-shape",
            paramLabel = "SHAPE",
            description = "The shape of shards, a multiple of the chunk shape; none for no shards (default: none).")
    private @Nullable String shardShape;

    @Option(
            names = "--chunk-grid",
            paramLabel = "JSON",
            description =
                    "A chunk grid, such as a rectilinear one, in place of --chunk-shape or --shard-shape. If --chunk-shape "
                            + "is also given, the grid describes the shards.")
    private @Nullable String chunkGrid;

    @Option(
            names = "--codecs",
            paramLabel = "JSON",
            description = {
                "The codecs, as names with optional levels or as a JSON list (default: zstd; n5: gzip, neuroglancer: raw, wkw: "
                        + "lz4). bytes is added for you; "
                        + "sharding_indexed in the list nests shards. Example:",
                Options.CODECS_EXAMPLE
            })
    private @Nullable String codecs;

    @Option(names = "--index-codecs", paramLabel = "JSON", description = "The codecs of the shard index.")
    private @Nullable String indexCodecs;

    @Option(
            names = "--index-location",
            paramLabel = "start|end",
            description = "The position of the shard index (default: end).")
    private @Nullable IndexLocation indexLocation;

    @Option(names = "--fill-value", paramLabel = "JSON", description = "The fill value (default: zero).")
    private @Nullable String fillValue;

    @Option(
            names = "--dimension-names",
            paramLabel = "NAMES",
            description = "The names of the dimensions, such as y,x.")
    private @Nullable String dimensionNames;

    @Option(names = "--attributes", paramLabel = "JSON", description = "The attributes, a JSON object.")
    private @Nullable String attributes;

    /** Adds the options to the specification of a Zarr array. */
    public ArraySpec applyTo(ArraySpec array) {
        return applyTo(array, (s, v) -> s.withCodecs(Options.codecs("--codecs", v, () -> elementSize(s))));
    }

    /** Adds the options to a specification of a format whose {@code --codecs} is the name of one encoding. */
    public ArraySpec applyToFormat(ArraySpec array) {
        return applyTo(array, (s, v) -> s.withCodecs(Json.of(v)));
    }

    /** Applies the options one after another, and {@code --codecs} by {@code withCodecs}. */
    private ArraySpec applyTo(ArraySpec array, Step<String> withCodecs) {
        boolean sharded = parsedShardShape().isPresent() || (chunkGrid != null && chunkShape != null);
        if (!sharded && (indexCodecs != null || indexLocation != null)) {
            throw new UsageException("--index-codecs and --index-location apply to shards: give --shard-shape too");
        }
        ArraySpec spec = withOption(
                array,
                chunkShape,
                (s, v) -> s.withChunkShape(ChunkShapeOptions.requireRank("--chunk-shape", v.values(), s.shape())));
        spec = withOption(
                spec,
                parsedShardShape().orElse(null),
                (s, v) -> s.withShardShape(ChunkShapeOptions.requireRank("--shard-shape", v, s.shape())));
        if (chunkShape != null) {
            parsedShardShape().ifPresent(shard -> ChunkShapeOptions.requireMultiple(shard, chunkShape.values()));
        }
        spec = withOption(spec, chunkGrid, (s, v) -> s.withChunkGrid(Options.object("--chunk-grid", v)));
        spec = withOption(spec, codecs, withCodecs);
        // An element of a shard index is a number of 64 bits.
        spec = withOption(
                spec, indexCodecs, (s, v) -> s.withIndexCodecs(Options.codecs("--index-codecs", v, () -> Long.BYTES)));
        spec = withOption(spec, indexLocation, ArraySpec::withIndexLocation);
        spec = withOption(spec, fillValue, (s, v) -> s.withFillValue(Options.fillValue("--fill-value", v)));
        spec = withOption(spec, dimensionNames, (s, v) -> s.withDimensionNames(parseNames(v, s.shape())));
        return withOption(spec, attributes, (s, v) -> s.withAttributes(Options.attributes("--attributes", v)));
    }

    /** Returns the shape of shards; empty if the option is absent or {@code none}. */
    private Optional<long[]> parsedShardShape() {
        return shardShape == null ? Optional.empty() : ChunkShapeOptions.parseShardShape(shardShape);
    }

    /** Whether the options ask for an array without shards. */
    public boolean forbidsShards() {
        return shardShape != null && parsedShardShape().isEmpty();
    }

    /** Returns the size of an element, for codecs that need it. */
    private static int elementSize(ArraySpec spec) {
        return Registry.load()
                .dataType(spec.dataType(), "--data-type")
                .elementSize()
                .orElse(1);
    }

    private static String[] parseNames(String text, long[] shape) {
        String[] names = text.isEmpty() ? new String[0] : text.split(",", -1);
        if (names.length != shape.length) {
            throw new UsageException("--dimension-names: expected " + shape.length + " names, one for each "
                    + "dimension of shape "
                    + Arrays.toString(shape) + ", found " + names.length);
        }
        return names;
    }

    private static <V> ArraySpec withOption(ArraySpec spec, @Nullable V value, Step<V> step) {
        return value != null ? step.apply(spec, value) : spec;
    }

    /** Applies the value {@code v} of an option to a specification {@code s}. */
    private interface Step<V> {
        ArraySpec apply(ArraySpec spec, V value);
    }
}
