package dev.shardkit.cli.command.write;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.NodeCreation;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LayoutOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.LikeArray;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code create}: writes the metadata of a new array. */
@Command(
        name = "create",
        description = {
            "Create an array without chunks.",
            "With --shard-shape, the chunk shape and the codecs are those of inner chunks.",
            "--like copies all properties except the attributes from another array; other options override them.",
            "URL may begin with n5:, neuroglancer: or wkw: to create an array of that format. --codecs is then raw, gzip, "
                    + "zlib, bzip2, xz, zstd, blosc or lz4, with an optional level as in gzip:6 (n5), raw, jpeg, png or "
                    + "compressed_segmentation (neuroglancer), raw or lz4 (wkw); --like takes the one that is like the "
                    + "codecs of the other array. In an existing volume of "
                    + "neuroglancer, this adds a scale; the attributes resolution and voxel_offset describe it."
        },
        footer = {
            "",
            "Example: shardkit create image.zarr --shape 4096,4096 --data-type uint16 --chunk-shape 64,64 "
                    + "--shard-shape 1024,1024 --codecs zstd:3,crc32c"
        })
public final class CreateCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
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

    @Option(names = "--like", paramLabel = "URL", description = "The location of an array with the same properties.")
    private @Nullable String likeUrl;

    @Mixin
    private final LayoutOptions layoutOptions = new LayoutOptions();

    @Option(names = "--overwrite", description = "Replace an existing array or group.")
    private boolean overwrite;

    public CreateCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = options();
        try (Store store = Zarr.openStore(url, options)) {
            // The location names another format, as n5:URL does.
            if (NamedFormat.arrayCreation(store, options.registry()).isPresent()) {
                createForeign(store, options);
                ParentGroupCreation.createRoot(store, options, output());
                return 0;
            }
        }
        ArraySpec spec = layoutOptions.applyTo(baseSpec(LikeArray.Target.ZARR));
        ArrayMetadata metadata = UsageException.reportingOptions(() -> Zarr.describe(spec, options));
        try (Store store = Zarr.openStore(url, options)) {
            NodeCreation.create(store, () -> {
                Destination.of(store).clear(overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
                return Zarr.stageArray(store, "", metadata, IfExists.REFUSE, options)
                        .publish();
            });
        }
        ParentGroupCreation.createMissing(url, plainOptions(), output());
        return 0;
    }

    /** Creates an array in the format that the location names, such as N5. */
    private void createForeign(Store store, ZarrOptions options) throws IOException {
        if (overwrite) {
            throw new UsageException("--overwrite replaces no array of another format: remove the old one first");
        }
        ArraySpec spec = layoutOptions.applyToFormat(baseSpec(LikeArray.Target.OTHER));
        NodeCreation.create(store, () -> {
            UsageException.reportingForeignFormat(() -> Zarr.createArray(store, "", spec, IfExists.REFUSE, options))
                    .close();
            return NoResult.INSTANCE;
        });
    }

    /** Returns the specification before the layout options are applied. */
    private ArraySpec baseSpec(LikeArray.Target target) {
        Json type = dataType != null ? Options.dataType("--data-type", dataType) : null;
        if (likeUrl != null) {
            return LikeArray.spec(
                    likeUrl,
                    shape,
                    type,
                    layoutOptions.forbidsShards() ? LikeArray.Shards.REMOVED : LikeArray.Shards.KEPT,
                    target,
                    plainOptions());
        } else if (shape == null || type == null) {
            throw new UsageException("give --shape and --data-type, or --like");
        }
        return ArraySpec.of(type, shape.values());
    }
}
