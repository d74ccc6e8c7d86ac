package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.maintenance.Move;
import dev.shardkit.store.Store;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mv}: moves an array or a group. */
@Command(
        name = "mv",
        description = {
            "Move an array, or a group with everything below it, to an empty place.",
            "Within a file system the folder is renamed. Otherwise the node is copied, and then removed; rerunning the "
                    + "command completes an interrupted move of a local source. No other program may write to the node "
                    + "meanwhile.",
            ConsolidateCommand.GROUPS_ABOVE
        },
        footer = {"", "Example: shardkit mv tree.zarr/old tree.zarr/new"})
final class MoveCommand extends ShardkitCommand {
    @Parameters(index = "0", paramLabel = "SRC", description = "The folder of the array or group.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DST", description = "Its new folder, which must be empty or missing.")
    private String target = "";

    MoveCommand(Output output) {
        super(output);
    }

    @Override
    int run() throws IOException {
        Zarr.open(source, options()).close(); // says what is there in place of a node
        try (Store from = Zarr.openStore(source, options());
                Store into = Zarr.openStore(target, options())) {
            Move.of(from, into).run(options());
            return 0;
        }
    }
}
