package dev.shardkit.cli.command.write;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.RefusedException;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rm}: removes an array or a group. */
@Command(
        name = "rm",
        description = {
            "Remove an array, or a group with everything below it. If the folder is a symbolic link, "
                    + "removes only the link. Also removes "
                    + "what an interrupted command left, and says what it was.",
            ConsolidateCommand.GROUPS_ABOVE
        },
        footer = {"", "Example: shardkit rm images.zarr/old --recursive"})
public final class RemoveCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--recursive", description = "Also remove a group that has children.")
    private boolean recursive;

    @Option(
            names = "--force",
            description = "Also remove files in the folder that belong to no array or group (default: an error that "
                    + "names them).")
    private boolean force;

    public RemoveCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return resumeAdvice(url, command);
    }

    @Override
    public int run() {
        ZarrOptions options = options();
        try (Store store = Zarr.openStore(url, options)) {
            store.need(TreeDeletions.class, "removing an array or group");
            Optional<String> unfinished = Destination.unfinished(store).or(() -> Removal.interrupted(store, options));
            if (!recursive && unfinished.isEmpty()) {
                refuseChildren(options);
            }
            Removal removal = Removal.of(store);
            (force ? removal.includingOtherFiles() : removal).run(options);
            unfinished.ifPresent(description -> output().printMessage("removed " + description));
            return 0;
        }
    }

    private void refuseChildren(ZarrOptions options) {
        try (ZarrNode node = Zarr.open(url, options)) {
            SortedSet<String> children = node instanceof ZarrGroup group
                    ? group.ignoringConsolidated().childNames()
                    : new TreeSet<>();
            if (!children.isEmpty()) {
                throw new RefusedException("the group has " + NodeText.count(children.size(), "child", "children")
                        + ", such as " + children.first() + "; to remove them too, use --recursive");
            }
        } catch (UnsupportedException e) {
            throw new UnsupportedException(e.getMessage() + "; to remove it nevertheless, use --recursive", e);
        }
    }
}
