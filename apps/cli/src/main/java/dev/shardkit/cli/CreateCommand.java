package dev.shardkit.cli;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Destination;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code create}: writes the metadata of a new array. */
@Command(
        name = "create",
        description = {
            "Create an array without chunks.",
            "With --shard-shape, the chunk shape and the codecs are those of inner chunks.",
            "With --like, everything but the attributes is that of another array, unless an option says otherwise."
        },
        footer = {
            "",
            "Example: shardkit create image.zarr --shape 4096,4096 --data-type uint16 --chunk-shape 64,64 "
                    + "--shard-shape 1024,1024 --codecs zstd:3,crc32c"
        })
final class CreateCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The folder of the array.")
    private String url = "";

    @Option(
            names = "--shape",
            paramLabel = "SHAPE",
            description = "The shape, such as 1000,1000; empty for an array without dimensions.")
    private @Nullable Lengths shape;

    @Option(
            names = "--data-type",
            paramLabel = "TYPE",
            description = "A name such as uint16, or JSON for a type with a configuration.")
    private @Nullable String dataType;

    @Option(names = "--like", paramLabel = "URL", description = "The folder of an array with the same properties.")
    private @Nullable String like;

    @Option(names = "--chunk-shape", paramLabel = "SHAPE", description = "The shape of chunks (default: about 1 MiB).")
    private @Nullable Lengths chunkShape;

    @Option(
            names = "--shard-shape",
            paramLabel = "SHAPE",
            description = "The shape of shards, a multiple of the chunk shape (default: no shards).")
    private @Nullable Lengths shardShape;

    @Option(
            names = "--chunk-grid",
            paramLabel = "JSON",
            description = "A chunk grid in place of a shape; with --chunk-shape its chunks are shards.")
    private @Nullable String chunkGrid;

    @Option(
            names = "--codecs",
            paramLabel = "JSON",
            description = {
                "The codecs, a JSON list (default: zstd); bytes is implied; sharding_indexed in the list nests shards. "
                        + "Example:",
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

    @Option(names = "--overwrite", description = "Replace an existing array or group.")
    private boolean overwrite;

    CreateCommand(Output output) {
        super(output);
    }

    @Override
    int run() throws IOException {
        ZarrOptions options = options();
        ArraySpec spec = spec();
        ArrayMetadata metadata = WrongUse.unless(() -> Zarr.describe(spec, options));
        try (Store store = Zarr.openStore(url, options)) {
            Destination.of(store).makeRoom(overwrite ? Zarr.Existing.OVERWRITE : Zarr.Existing.REFUSE);
            Zarr.stageArray(store, "", metadata, Zarr.Existing.REFUSE, options).publish();
            return 0;
        }
    }

    private ArraySpec spec() {
        boolean sharded = shardShape != null || (chunkGrid != null && chunkShape != null);
        if (!sharded && (indexCodecs != null || indexLocation != null)) {
            throw new WrongUse("--index-codecs and --index-location apply to shards: give --shard-shape too");
        }
        ArraySpec spec = base();
        spec = with(spec, chunkShape, (s, v) -> s.withChunkShape(v.values()));
        spec = with(spec, shardShape, (s, v) -> s.withShardShape(v.values()));
        spec = with(spec, chunkGrid, (s, v) -> s.withChunkGrid(Options.object("--chunk-grid", v)));
        spec = with(spec, codecs, (s, v) -> s.withCodecs(Options.codecs("--codecs", v)));
        spec = with(spec, indexCodecs, (s, v) -> s.withIndexCodecs(Options.codecs("--index-codecs", v)));
        spec = with(spec, indexLocation, ArraySpec::withIndexLocation);
        spec = with(spec, fillValue, (s, v) -> s.withFillValue(Options.json("--fill-value", v)));
        spec = with(spec, dimensionNames, (s, v) -> s.withDimensionNames(names(v, s.shape())));
        return with(spec, attributes, (s, v) -> s.withAttributes(Options.object("--attributes", v)));
    }

    /** Returns the specification before the options that change it. */
    private ArraySpec base() {
        Json type = dataType != null ? Options.dataType("--data-type", dataType) : null;
        if (like != null) {
            return LikeArray.spec(like, shape, type, options());
        } else if (shape == null || type == null) {
            throw new WrongUse("give --shape and --data-type, or --like");
        }
        return ArraySpec.of(type, shape.values());
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
