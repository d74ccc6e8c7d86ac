package dev.shardkit.cli.command.write;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.NodeCreation;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.RefusedException;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.tree.HiddenNodes;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code group}: creates an empty group. */
@Command(
        name = "group",
        description = {
            "Create a group. A folder that is no group, but holds arrays or groups, becomes one and keeps them.",
            "URL may begin with n5: to create a group of N5."
        },
        footer = {"", "Example: shardkit group images.zarr --attributes '{\"owner\": \"lab\"}'"})
public final class GroupCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the group.")
    private String url = "";

    @Option(names = "--attributes", paramLabel = "JSON", description = "The attributes, a JSON object.")
    private @Nullable String attributes;

    @Option(names = "--overwrite", description = "Replace an existing array or group with all its content.")
    private boolean overwrite;

    public GroupCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = options();
        Json.Obj members = attributes != null ? Options.attributes("--attributes", attributes) : Json.object();
        try (Store store = Zarr.openStore(url, options)) {
            if (NamedFormat.name(store).isPresent()) {
                IfExists existing = overwrite ? IfExists.OVERWRITE : IfExists.REFUSE;
                NodeCreation.create(
                        store,
                        () -> UsageException.reportingForeignFormat(
                                () -> Zarr.createGroup(store, "", members, existing, options)));
                ParentGroupCreation.createRoot(store, options, output());
                return 0;
            }
            refuseExistingGroup(store, options);
            NodeCreation.create(store, () -> {
                // A folder without metadata whose children are nodes becomes a group and keeps these children.
                if (overwrite || !HiddenNodes.existIn(store, options)) {
                    Destination.of(store).clear(overwrite ? IfExists.OVERWRITE : IfExists.REFUSE);
                }
                return Zarr.createGroup(store, "", members, IfExists.REFUSE, options);
            });
        }
        ParentGroupCreation.createMissing(url, options, output());
        return 0;
    }

    private void refuseExistingGroup(Store store, ZarrOptions options) {
        if (!overwrite && !HiddenNodes.existIn(store, options)) {
            Zarr.find(store, "", options)
                    .filter(ZarrGroup.class::isInstance)
                    .filter(group -> group.nodeFormat().isEmpty())
                    .ifPresent(group -> {
                        throw new RefusedException(
                                store.describe() + " is a group already; its attributes are changed by "
                                        + "shardkit attrs; to replace it, with all that it contains, use --overwrite");
                    });
        }
    }
}
