package dev.shardkit.cli.command.copy;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.GroupTargetAdvice;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.UnfinishedNodeAdvice;
import dev.shardkit.cli.command.ome.OmeCommand;
import dev.shardkit.cli.option.ChunkShapeOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PartOption;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.tree.HiddenNodes;
import dev.shardkit.pictures.ShellWords;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a copy, and the copy itself. Used by {@code copy}, and by {@code convert} with a target. */
final class CopyOptions {
    /** The number of paths that a note names. */
    private static final int MAX_PATHS = 5;

    @Option(
            names = "--shard-shape",
            paramLabel = "SHAPE",
            description =
                    "The shape of shards, such as 512,512; none for a copy without shards. In a tree, it is fitted "
                            + "to each array; arrays with another number of dimensions keep their layout, and are named.")
    private @Nullable String shardShape;

    @Option(
            names = "--chunk-shape",
            paramLabel = "SHAPE",
            description =
                    "The shape of chunks; of inner chunks, if the copy has shards. In a tree, it is fitted to each array as for "
                            + "--shard-shape.")
    private @Nullable Lengths chunkShape;

    @Option(
            names = "--codecs",
            paramLabel = "CODECS",
            description = {
                "The codecs, as names with optional levels or as a JSON list. bytes is added for you. Example:",
                Options.CODECS_EXAMPLE
            })
    private @Nullable String codecs;

    @Option(names = "--index-location", paramLabel = "start|end", description = "The position of the shard index.")
    private @Nullable IndexLocation indexLocation;

    @Option(names = "--overwrite", description = "Replace an existing array, group or unfinished copy.")
    private boolean overwrite;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            description =
                    "Limit the memory for shards and chunks, such as 2g (k, m, g, t: powers of 1024), and print "
                            + "the plan of the copy. The heap of the JVM must be larger. SRC must be one array. The copy "
                            + "takes one pass if that decodes each chunk of SRC at most 3 times on average. Otherwise it "
                            + "takes two passes through an intermediate array in DST/__rechunk, which takes the space of a "
                            + "second copy until the copy is complete. Not with --part, --finish, --missing-only or --skip-unsupported.")
    private @Nullable String maxMemory;

    @Option(
            names = "--skip-unsupported",
            description = "Leave out the nodes of a tree that shardkit cannot open, for example because a codec is "
                    + "missing, and name them (default: copy nothing).")
    private boolean skipUnsupported;

    @Option(
            names = "--missing-only",
            description = "Complete an earlier copy, or make one: copy the nodes and stored chunks that DST does not "
                    + "have, as stored. Chunks that changed at the source are not noticed.")
    private boolean missingOnly;

    @Mixin
    private PartOption parts = new PartOption();

    @Option(names = "--finish", description = "Publish a copy that was made in parts, if all of them are complete.")
    private boolean finish;

    /** Returns the exit status for failures. With {@code --skip-unsupported}, 1 means that nodes were skipped. */
    int faultStatus() {
        return skipUnsupported ? 3 : 1;
    }

    /** Whether a location is on a server. A copy from a server cannot know whether the source has changed. */
    static boolean isRemote(String source) {
        return source.matches("(?s)(cache:)?(https?|s3|gs|az|abfss?|hdfs|hadoop):.*");
    }

    /** Returns advice after a signal: what remains of the copy, and how to resume it. */
    Optional<String> adviceAfterSignal(String source, String target, String command) {
        if (target.matches("(n5|neuroglancer|wkw):.*")) {
            return Optional.of("a copy in this format does not resume; run shardkit rm " + ShellWords.quoted(target)
                    + ", then: " + command);
        }
        return isRemote(source) && !missingOnly && !finish && parts.part().isEmpty()
                ? Optional.of("a copy of a remote source does not resume without --part or --missing-only; to begin "
                        + "again, " + (overwrite ? "rerun: " : "add --overwrite to: ") + command)
                : ShardkitCommand.resumeAdvice(target, command);
    }

    /** Whether any option of a copy is set. */
    boolean isAnySet() {
        return shardShape != null
                || chunkShape != null
                || codecs != null
                || indexLocation != null
                || overwrite
                || maxMemory != null
                || skipUnsupported
                || missingOnly
                || finish
                || parts.part().isPresent();
    }

    /** Runs the copy for a command and returns the exit status. */
    int copy(ShardkitCommand command, String source, String target) throws IOException {
        return new CopyRun(command, source, target).run();
    }

    /** Runs one copy, and collects its notes and the nodes that it leaves out. */
    private final class CopyRun {
        private final ShardkitCommand command;
        private final String source;
        private final String target;
        /** The notes of the copy, each with the paths of its nodes. */
        private final Map<String, List<String>> notes = new LinkedHashMap<>();

        /** The number of nodes that {@code --skip-unsupported} left out. */
        private int skipped;
        /** The number of nodes that were left out because their names begin with {@code __}. */
        private int reserved;

        CopyRun(ShardkitCommand command, String source, String target) {
            this.command = command;
            this.source = source;
            this.target = target;
        }

        private Output output() {
            return command.output();
        }

        int run() throws IOException {
            ZarrOptions options = command.plainOptions();
            OutputLocationCheck.refuseOverlap(source, target);
            boolean changesLayout = shardShape != null || chunkShape != null || codecs != null || indexLocation != null;
            if (missingOnly && (overwrite || changesLayout)) {
                throw new UsageException(
                        "--missing-only keeps the layout and overwrites nothing: it cannot be combined with "
                                + "--overwrite, --shard-shape, --chunk-shape, --codecs or --index-location");
            }
            if ((finish || parts.part().isPresent())
                    && (overwrite || missingOnly || finish && parts.part().isPresent())) {
                throw new UsageException(
                        "--part, --finish, --overwrite and --missing-only exclude each other: to replace DST, "
                                + "remove it first");
            }
            if (maxMemory != null
                    && (finish || missingOnly || skipUnsupported || parts.part().isPresent())) {
                throw new UsageException("--max-memory cannot be combined with --part, --finish, --missing-only or "
                        + "--skip-unsupported");
            }
            boolean hasNamedFormat;
            try (ZarrNode sourceNode = Zarr.open(source, command.options());
                    Store targetStore = Zarr.openStore(target, options);
                    ProgressDisplay progress = ProgressDisplay.of(
                            "copy", isCountedInBytes(targetStore) ? ProgressDisplay.BYTES : "objects", output())) {
                UnnamedDimensionsCheck.note(source, sourceNode, targetStore, options)
                        .ifPresent(output()::printMessage);
                N5PrefixCheck.note(target, targetStore).ifPresent(output()::printMessage);
                Copy copy = configureCopy(sourceNode, targetStore)
                        .withProgress(isCountedInBytes(targetStore) ? progress.ofBytes() : progress.ofObjects());
                run(copy, sourceNode, targetStore, options);
                printNotes();
                if (parts.part().isEmpty()) {
                    HiddenNodes.below(sourceNode, this::reportHidden);
                    if (sourceNode.nodeFormat().isPresent()) {
                        OmeCommand.upgradeNote(targetStore, target, options).ifPresent(output()::printMessage);
                    }
                }
                hasNamedFormat = ParentGroupCreation.createRoot(targetStore, options, output());
            }
            if (parts.part().isEmpty() && !hasNamedFormat) {
                ParentGroupCreation.createMissing(target, options, output());
            }
            // Every part leaves out the same reserved names: only the run that publishes the copy returns 1 for them.
            return skipped > 0 || reserved > 0 && parts.part().isEmpty() ? 1 : 0;
        }

        /** Whether progress counts bytes. Copies of missing objects, in parts, and to other formats count objects. */
        private boolean isCountedInBytes(Store targetStore) {
            return !missingOnly
                    && !finish
                    && maxMemory == null
                    && parts.part().isEmpty()
                    && NamedFormat.name(targetStore).isEmpty();
        }

        private void run(Copy copy, ZarrNode sourceNode, Store targetStore, ZarrOptions options) {
            try {
                if (maxMemory != null) {
                    NamedFormat.name(targetStore).ifPresent(name -> {
                        throw new UsageException("--max-memory: expected a Zarr target, found " + target + " (format "
                                + name + "); leave --max-memory out");
                    });
                    BoundedCopy bounded = BoundedCopy.plan(copy, options, Options.bytes("--max-memory", maxMemory));
                    output().printMessage("copy: " + bounded.describe());
                    bounded.run(targetStore, target);
                } else if (finish) {
                    copy.inParts(targetStore, options).finish();
                } else if (parts.part().isPresent()) {
                    copy.inParts(targetStore, options).run(parts.part().get());
                } else if (missingOnly) {
                    copy.missingOnlyTo(targetStore, options);
                } else {
                    copy.to(targetStore, options);
                }
            } catch (ZarrException e) {
                boolean isPlainCopy =
                        !overwrite && !missingOnly && !finish && parts.part().isEmpty();
                if (isPlainCopy && e instanceof StoreException failure) {
                    // It may have failed because the target is a group: then the advice for groups is given alone.
                    StoreException withAdvice = GroupTargetAdvice.addAdvice(failure, source, target, options);
                    if (withAdvice != failure) {
                        throw withAdvice;
                    }
                }
                throw UnfinishedNodeAdvice.addAdvice(addSkipAdvice(e, sourceNode), targetStore, target);
            }
        }

        /** Prints each note about nodes once, with the first few paths. */
        private void printNotes() {
            notes.forEach((note, paths) -> {
                List<String> otherPaths = paths.subList(1, Math.min(MAX_PATHS, paths.size()));
                int remaining = paths.size() - 1 - otherPaths.size();
                output().printMessage("note: " + paths.get(0) + " " + note
                        + (otherPaths.isEmpty() ? "" : "; also " + String.join(", ", otherPaths))
                        + (remaining > 0 ? " and " + NodeText.count(remaining, "other node") : ""));
            });
            notes.clear();
        }

        /** Adds advice to a failure to open a node of a tree: how to copy the other nodes. */
        private ZarrException addSkipAdvice(ZarrException failure, ZarrNode sourceNode) {
            boolean isInTree = sourceNode instanceof ZarrGroup
                    && failure instanceof UnsupportedException
                    && failure.array()
                            .filter(node -> isBelow(sourceNode.location(), node))
                            .isPresent();
            return isInTree && !skipUnsupported
                    ? new UnsupportedException(
                            failure.getMessage()
                                    + "; --skip-unsupported copies the other nodes, and names those left out",
                            failure)
                    : failure;
        }

        /** Whether {@code node} lies in the tree at {@code root}. Nodes of the target do not. */
        private static boolean isBelow(String root, String node) {
            return node.startsWith(root)
                    && (root.endsWith("/")
                            || node.startsWith("/", root.length())
                            || node.startsWith("!", root.length()));
        }

        private void reportReserved(String path, UnsupportedException e) {
            reserved++;
            output().printMessage("left out /" + path + ": " + e.fact());
        }

        /** Reports a node that the copy may leave out, because readers of the source do not find it either. */
        private void reportHidden(String path, HiddenNodes.Why why) {
            if (why == HiddenNodes.Why.FOLDER) {
                output().printMessage(
                                "left out /" + path + ": a folder above it is no group, so readers do not find it; "
                                        + "make it one with shardkit group, or copy the node itself");
            } else if (why == HiddenNodes.Why.ARRAY) {
                output().printMessage("left out /" + path
                        + ": it lies in the folder of an array, so readers do not find it; copy the node itself");
            } // shardkit finds nodes with reserved names: reportReserved has named them
        }

        private void reportSkipped(String path, UnsupportedException e) {
            skipped++;
            output().printMessage("skipped /" + path + ": " + e.fact());
        }

        /** Returns the copy with the options of the command. */
        private Copy configureCopy(ZarrNode sourceNode, Store targetStore) {
            Copy copy = Copy.of(sourceNode).skippingReserved(this::reportReserved);
            if (shardShape != null) {
                Optional<long[]> shards = ChunkShapeOptions.parseShardShape(shardShape);
                copy = shards.isPresent()
                        ? copy.withShardShape(requireLengths("--shard-shape", shards.get(), sourceNode))
                        : copy.withoutShards();
            }
            if (chunkShape != null) {
                copy = copy.withChunkShape(requireLengths("--chunk-shape", chunkShape.values(), sourceNode));
            }
            if (shardShape != null && NamedFormat.name(targetStore).isEmpty()) {
                ChunkShapeOptions.parseShardShape(shardShape)
                        .ifPresent(shard -> ChunkShapeOptions.requireMultiple(shard, chunkShape, sourceNode));
            }
            if (codecs != null) {
                copy = NamedFormat.name(targetStore).isPresent()
                        ? copy.withCodecs(Json.of(codecs)) // an encoding of that format
                        : copy.withCodecs(Options.codecs("--codecs", codecs, Options.typeSize(sourceNode)));
            }
            if (indexLocation != null) {
                copy = copy.withIndexLocation(indexLocation);
            }
            if (skipUnsupported) {
                copy = copy.skippingUnsupported(this::reportSkipped);
            }
            copy = copy.withNotes((path, note) ->
                    notes.computeIfAbsent(note, text -> new ArrayList<>()).add("/" + path));
            return overwrite ? copy.overwriting() : copy;
        }
    }

    /**
     * Returns the lengths. Checks their number only for an array, because arrays of a tree may differ in dimensions.
     */
    private static long[] requireLengths(String option, long[] lengths, ZarrNode sourceNode) {
        return sourceNode instanceof ZarrArray array
                ? ChunkShapeOptions.requireRank(option, lengths, array.shape())
                : ChunkShapeOptions.requirePositive(option, lengths);
    }
}
