package dev.shardkit.cli.command.write;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.tree.HiddenNodes;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code consolidate}: stores the metadata of a tree in its root. */
@Command(
        name = "consolidate",
        description = {
            "Store the metadata of all nodes below a group in the group's zarr.json.",
            "Readers then open the whole tree with one request; over HTTP, ls and copy need it. Rerun the command "
                    + "after another program added, changed or removed nodes."
        },
        footer = {"", "Example: shardkit consolidate images.zarr"})
public final class ConsolidateCommand extends ShardkitCommand {
    /** Text for the help of commands that change nodes. */
    public static final String GROUPS_ABOVE =
            "Consolidated metadata of the groups above the node are updated if they are "
                    + "local files. In remote stores and archives, run consolidate on those groups afterwards.";

    @Parameters(paramLabel = "URL", description = "The location of the group.")
    private String url = "";

    @Option(names = "--remove", description = "Remove the consolidated metadata instead.")
    private boolean remove;

    public ConsolidateCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() {
        try (ZarrGroup group = Zarr.openGroup(url, options())) {
            if (remove) {
                group.removeConsolidated();
                return 0;
            }
            int nodes =
                    group.consolidate().metadata().consolidated().orElseThrow().size();
            output().printLine("consolidated the metadata of " + NodeText.count(nodes, "node"));
            HiddenNodes.below(group, (path, why) -> {
                if (why == HiddenNodes.Why.FOLDER) {
                    output().printMessage("left out /" + path + ": a folder above it is no group; make it one with "
                            + "shardkit group, and consolidate again");
                } else if (why == HiddenNodes.Why.ARRAY) {
                    output().printMessage(
                                    "left out /" + path + ": it lies in the folder of an array, which has no children");
                }
            });
            return 0;
        }
    }
}
