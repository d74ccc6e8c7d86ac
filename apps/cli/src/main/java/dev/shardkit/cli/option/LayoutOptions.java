package dev.shardkit.cli.option;

import dev.shardkit.ArraySpec;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that create an array: everything but shape and data type. */
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

    /** Adds the options to a specification. */
    public ArraySpec of(ArraySpec array) {
        return of(array, (s, v) -> s.withCodecs(Options.codecs("--codecs", v, () -> elementSize(s))));
    }

    /** Adds the options to a specification of another format, whose codecs are the name of one encoding. */
    public ArraySpec ofFormat(ArraySpec array) {
        return of(array, (s, v) -> s.withCodecs(Json.of(v)));
    }

    private ArraySpec of(ArraySpec array, Step<String> withCodecs) {
        boolean sharded = shards().isPresent() || (chunkGrid != null && chunkShape != null);
        if (!sharded && (indexCodecs != null || indexLocation != null)) {
            throw new WrongUse("--index-codecs and --index-location apply to shards: give --shard-shape too");
        }
        ArraySpec spec = with(
                array, chunkShape, (s, v) -> s.withChunkShape(Shards.fitting("--chunk-shape", v.values(), s.shape())));
        spec = with(
                spec, shards().orElse(null), (s, v) -> s.withShardShape(Shards.fitting("--shard-shape", v, s.shape())));
        if (chunkShape != null) {
            shards().ifPresent(shard -> Shards.divisible(shard, chunkShape.values()));
        }
        spec = with(spec, chunkGrid, (s, v) -> s.withChunkGrid(Options.object("--chunk-grid", v)));
        spec = with(spec, codecs, withCodecs);
        spec = with(
                spec, indexCodecs, (s, v) -> s.withIndexCodecs(Options.codecs("--index-codecs", v, () -> Long.BYTES)));
        spec = with(spec, indexLocation, ArraySpec::withIndexLocation);
        spec = with(spec, fillValue, (s, v) -> s.withFillValue(Options.fillValue("--fill-value", v)));
        spec = with(spec, dimensionNames, (s, v) -> s.withDimensionNames(names(v, s.shape())));
        return with(spec, attributes, (s, v) -> s.withAttributes(Options.attributes("--attributes", v)));
    }

    /** Returns the shape of shards; empty if there is none. */
    private Optional<long[]> shards() {
        return shardShape == null ? Optional.empty() : Shards.shape(shardShape);
    }

    /** Whether the options say that there are no shards. */
    public boolean hasNoShards() {
        return shardShape != null && shards().isEmpty();
    }

    /** Returns the size of an element, for codecs that need it. */
    private static int elementSize(ArraySpec spec) {
        return Registry.load()
                .dataType(spec.dataType(), "--data-type")
                .elementSize()
                .orElse(1);
    }

    private static String[] names(String text, long[] shape) {
        String[] names = text.isEmpty() ? new String[0] : text.split(",", -1);
        if (names.length != shape.length) {
            throw new WrongUse("--dimension-names: expected " + shape.length + " names, one for each "
                    + "dimension of shape "
                    + Arrays.toString(shape) + ", found " + names.length);
        }
        return names;
    }

    private static <V> ArraySpec with(ArraySpec spec, @Nullable V value, Step<V> step) {
        return value != null ? step.add(spec, value) : spec;
    }

    /** Applies an option to a specification. */
    private interface Step<V> {
        ArraySpec add(ArraySpec spec, V value);
    }
}
