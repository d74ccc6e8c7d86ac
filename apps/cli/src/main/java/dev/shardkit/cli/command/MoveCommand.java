package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.GroupsAbove;
import dev.shardkit.cli.base.IntoGroup;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.Unfinished;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mv}: moves an array or a group. */
@Command(
        name = "mv",
        description = {
            "Move an array, or a group with everything below it, to an empty place.",
            "Within a file system, the folder is renamed. Otherwise the node is copied, the copy is compared with the "
                    + "source, and then the source is removed; rerunning the command completes an interrupted move of a "
                    + "local source. A DST of another format, such as n5:OUT, is refused: use copy. No other program may "
                    + "write to the node meanwhile.",
            ConsolidateCommand.GROUPS_ABOVE
        },
        footer = {"", "Example: shardkit mv tree.zarr/old tree.zarr/new"})
public final class MoveCommand extends ShardkitCommand {
    @Parameters(index = "0", paramLabel = "SRC", description = "The location of the array or group.")
    private String source = "";

    @Parameters(index = "1", paramLabel = "DST", description = "Its new folder, which must be empty or missing.")
    private String target = "";

    public MoveCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return CopyOptions.isRemote(source)
                ? Optional.of("a move of a remote source does not resume; if the source is complete (shardkit verify), "
                        + "remove the copy by shardkit rm --recursive " + ShellWords.quoted(target) + ", then: "
                        + command)
                : resume(target, command);
    }

    @Override
    public int run() throws IOException {
        Zarr.open(source, options()).close(); // says what is there in place of a node
        move();
        GroupsAbove.make(target, plainOptions(), output());
        return 0;
    }

    private void move() {
        try (Store from = Zarr.openStore(source, options());
                Store into = Zarr.openStore(target, plainOptions())) {
            if (!inOneArchive(from.describe(), into.describe())) {
                move(from, into);
                return;
            }
        }
        moveInArchive();
    }

    private void move(Store from, Store into) {
        boolean wasThere = Zarr.find(into, "", plainOptions()).isPresent();
        try {
            Move.of(from, into).run(plainOptions());
        } catch (StoreException e) {
            throw wasThere ? IntoGroup.hint(e, source, target, plainOptions()) : left(e, into);
        }
    }

    /** Adds what the failed move has made. */
    private ZarrException left(StoreException failure, Store into) {
        boolean isCopied;
        try {
            isCopied = Zarr.find(into, "", plainOptions()).isPresent();
        } catch (ZarrException e) {
            return failure;
        }
        return isCopied
                ? new StoreException(
                        failure.getMessage() + ". The source remains, and " + target + " holds a copy of it: rerun the "
                                + "command to finish the move, or remove the copy by shardkit rm --recursive " + target,
                        failure)
                : Unfinished.hint(failure, into, target);
    }

    /** Whether both places are apart in the same archive, where one handle cannot see changes of the other. */
    private static boolean inOneArchive(String from, String into) {
        int end = from.indexOf('!') + 1;
        return from.startsWith("zip:")
                && end > 0
                && into.startsWith(from.substring(0, end))
                && !(from + "/").startsWith(into + "/")
                && !(into + "/").startsWith(from + "/");
    }

    /** Publishes the copy before the removal begins, which then is based on the archive with the copy. */
    private void moveInArchive() {
        try (ZarrNode from = Zarr.open(source, options());
                Store into = Zarr.openStore(target, plainOptions())) {
            Copy.of(from).to(into, plainOptions());
        }
        try (Store from = Zarr.openStore(source, options())) {
            Removal.of(from).run(plainOptions());
        }
    }
}
