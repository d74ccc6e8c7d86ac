package dev.shardkit.cli.command.copy;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.GroupTargetAdvice;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.UnfinishedNodeAdvice;
import dev.shardkit.cli.command.write.ConsolidateCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.maintenance.destination.Destination;
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
                    + "local source, and of any source that was being removed. A DST of another format, such as n5:OUT, is refused: use copy. No other program may "
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
    public Optional<String> adviceAfterSignal(String command) {
        return CopyOptions.isRemote(source)
                ? Optional.of(
                        "if the source was being removed, rerun the command to finish the move; otherwise it says so: "
                                + "then remove the copy by shardkit rm --recursive " + ShellWords.quoted(target)
                                + ", and begin again: "
                                + command)
                : resumeAdvice(target, command);
    }

    @Override
    public int run() throws IOException {
        move();
        ParentGroupCreation.createMissing(target, plainOptions(), output());
        return 0;
    }

    private void move() {
        try (Store sourceStore = Zarr.openStore(source, options());
                Store targetStore = Zarr.openStore(target, plainOptions())) {
            if (!isInOneArchive(sourceStore.describe(), targetStore.describe())) {
                move(sourceStore, targetStore);
                return;
            }
        }
        moveInArchive();
    }

    private void move(Store sourceStore, Store targetStore) {
        boolean existedBefore = Zarr.find(targetStore, "", plainOptions()).isPresent();
        try {
            Move.of(sourceStore, targetStore).run(plainOptions());
        } catch (StoreException e) {
            if (isRemovingSource(sourceStore, targetStore)) {
                throw e; // the copy is complete, and the failure says what to do
            }
            throw existedBefore && !isMarked(targetStore)
                    ? GroupTargetAdvice.addAdvice(e, source, target, plainOptions())
                    : addLeftovers(e, targetStore);
        }
    }

    /** Whether the move has compared its copy and is deleting the source. */
    private static boolean isRemovingSource(Store sourceStore, Store targetStore) {
        try {
            return Destination.of(targetStore).resumeRemoval(sourceStore.describe());
        } catch (ZarrException e) {
            return false;
        }
    }

    /** Whether the target is the copy of an interrupted run, and not a node that another program made there. */
    private static boolean isMarked(Store targetStore) {
        try {
            return Destination.of(targetStore).isMarked();
        } catch (ZarrException e) {
            return false;
        }
    }

    /** Returns the failure with a message that also says what remains at the target: a whole copy, or a part of it. */
    private ZarrException addLeftovers(StoreException failure, Store targetStore) {
        boolean isCopied;
        try {
            isCopied = Zarr.find(targetStore, "", plainOptions()).isPresent();
        } catch (ZarrException e) {
            return failure;
        }
        return isCopied
                ? new StoreException(
                        failure.getMessage() + ". The source remains, and " + target + " holds a copy of it: "
                                + (CopyOptions.isRemote(source) ? "" : "rerun the command to finish the move, or ")
                                + "remove the copy by shardkit rm --recursive " + ShellWords.quoted(target)
                                + (CopyOptions.isRemote(source) ? ", then rerun the command" : ""),
                        failure)
                : UnfinishedNodeAdvice.addAdvice(failure, targetStore, target);
    }

    /**
     * Whether source and target are separate locations in one ZIP archive. Two stores of one archive do not see each
     * other's changes, so such a move may not have both open.
     */
    private static boolean isInOneArchive(String sourceStore, String targetStore) {
        int archiveEnd = sourceStore.indexOf('!') + 1;
        return sourceStore.startsWith("zip:")
                && archiveEnd > 0
                && targetStore.startsWith(sourceStore.substring(0, archiveEnd))
                && !(sourceStore + "/").startsWith(targetStore + "/")
                && !(targetStore + "/").startsWith(sourceStore + "/");
    }

    /**
     * Moves within an archive: copies and removes in two steps. Closing the stores of the first step writes the copy to
     * the archive, so that the second step keeps it.
     */
    private void moveInArchive() {
        try (ZarrNode sourceNode = Zarr.open(source, options());
                Store targetStore = Zarr.openStore(target, plainOptions())) {
            Copy.of(sourceNode).to(targetStore, plainOptions());
        }
        try (Store sourceStore = Zarr.openStore(source, options())) {
            Removal.of(sourceStore).run(plainOptions());
        }
    }
}
