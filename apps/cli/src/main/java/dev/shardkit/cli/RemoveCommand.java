package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import java.util.SortedSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rm}: removes an array or a group. */
@Command(
        name = "rm",
        description = {"Remove an array, or a group with everything below it.", ConsolidateCommand.GROUPS_ABOVE},
        footer = {"", "Example: shardkit rm images.zarr/old --recursive"})
final class RemoveCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The folder of the array or group.")
    private String url = "";

    @Option(names = "--recursive", description = "Also remove a group that has children.")
    private boolean recursive;

    RemoveCommand(Output output) {
        super(output);
    }

    @Override
    int run() {
        try (ZarrNode node = Zarr.open(url, options())) {
            if (!recursive && node instanceof ZarrGroup group) {
                SortedSet<String> children = group.listed().childNames();
                if (!children.isEmpty()) {
                    throw new WrongUse("the group has " + NodeFacts.count(children.size(), "child", "children")
                            + ", such as " + children.first() + "; to remove them too, use --recursive");
                }
            }
            node.delete();
            return 0;
        }
    }
}
