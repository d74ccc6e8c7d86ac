package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.GroupsAbove;
import dev.shardkit.cli.base.IntoGroup;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.Unfinished;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PartOption;
import dev.shardkit.cli.option.Shards;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Progress;
import dev.shardkit.cli.print.WrongUse;
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

/** The options of a copy, and the copy itself: of {@code copy}, and of {@code convert} with a target. */
final class CopyOptions {
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

    /** Returns the exit status for faults. */
    int faultStatus() {
        return skipUnsupported ? 3 : 1;
    }

    /** Whether a location is on a server: a command that copies from it does not know whether it has changed. */
    static boolean isRemote(String source) {
        return source.matches("(?s)(cache:)?(https?|s3|gs|az|abfss?|hdfs|hadoop):.*");
    }

    /** Returns what a signal leaves of the copy, and how to resume it. */
    Optional<String> afterSignal(String source, String target, String command) {
        if (target.matches("(n5|neuroglancer|wkw):.*")) {
            return Optional.of("a copy in this format does not resume; run shardkit rm " + ShellWords.quoted(target)
                    + ", then: " + command);
        }
        return isRemote(source) && !missingOnly && !finish && parts.part().isEmpty()
                ? Optional.of("a copy of a remote source does not resume without --part or --missing-only; to begin "
                        + "again, " + (overwrite ? "rerun: " : "add --overwrite to: ") + command)
                : ShardkitCommand.resume(target, command);
    }

    /** Whether the command line has an option of a copy. */
    boolean isAnyGiven() {
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

    /** Makes the copy for a command and returns the exit status. */
    int copy(ShardkitCommand command, String source, String target) throws IOException {
        return new Run(command, source, target).run();
    }

    /** One copy. */
    private final class Run {
        private final ShardkitCommand command;
        private final String source;
        private final String target;
        /** The paths of the nodes by what there is to say of them. */
        private final Map<String, List<String>> notes = new LinkedHashMap<>();

        private int skipped;
        private int reserved;

        Run(ShardkitCommand command, String source, String target) {
            this.command = command;
            this.source = source;
            this.target = target;
        }

        private Output output() {
            return command.output();
        }

        int run() throws IOException {
            ZarrOptions options = command.plainOptions();
            CopyCommand.checkApart(source, target);
            boolean changesLayout = shardShape != null || chunkShape != null || codecs != null || indexLocation != null;
            if (missingOnly && (overwrite || changesLayout)) {
                throw new WrongUse("--missing-only keeps the layout and overwrites nothing: it cannot be combined with "
                        + "--overwrite, --shard-shape, --chunk-shape, --codecs or --index-location");
            }
            if ((finish || parts.part().isPresent())
                    && (overwrite || missingOnly || finish && parts.part().isPresent())) {
                throw new WrongUse(
                        "--part, --finish, --overwrite and --missing-only exclude each other: to replace DST, "
                                + "remove it first");
            }
            if (maxMemory != null
                    && (finish || missingOnly || skipUnsupported || parts.part().isPresent())) {
                throw new WrongUse("--max-memory cannot be combined with --part, --finish, --missing-only or "
                        + "--skip-unsupported");
            }
            boolean isNamed;
            try (ZarrNode from = Zarr.open(source, command.options());
                    Store to = Zarr.openStore(target, options);
                    Progress progress =
                            Progress.of("copy", isCountedInBytes(to) ? Progress.BYTES : "objects", output())) {
                UnnamedDimensions.note(source, from, to, options).ifPresent(output()::message);
                N5PrefixCheck.note(target, to).ifPresent(output()::message);
                Copy copy =
                        copy(from, to).withProgress(isCountedInBytes(to) ? progress.ofBytes() : progress.ofObjects());
                run(copy, from, to, options);
                tellNotes();
                if (parts.part().isEmpty()) {
                    HiddenNodes.below(from, this::leftOut);
                    if (from.nodeFormat().isPresent()) {
                        OmeCommand.note(to, target, options).ifPresent(output()::message);
                    }
                }
                isNamed = GroupsAbove.noteRoot(to, options, output());
            }
            if (parts.part().isEmpty() && !isNamed) {
                GroupsAbove.make(target, options, output());
            }
            return skipped > 0 || reserved > 0 && parts.part().isEmpty() ? 1 : 0;
        }

        /** Whether the copy reports bytes: copies of missing objects, in parts, and to other formats do not. */
        private boolean isCountedInBytes(Store to) {
            return !missingOnly
                    && !finish
                    && maxMemory == null
                    && parts.part().isEmpty()
                    && NamedFormat.name(to).isEmpty();
        }

        private void run(Copy copy, ZarrNode from, Store to, ZarrOptions options) {
            try {
                if (maxMemory != null) {
                    NamedFormat.name(to).ifPresent(name -> {
                        throw new WrongUse("--max-memory: expected a Zarr target, found " + target + " (format " + name
                                + "); leave --max-memory out");
                    });
                    BoundedCopy bounded = BoundedCopy.plan(copy, options, Options.bytes("--max-memory", maxMemory));
                    output().message("copy: " + bounded.describe());
                    bounded.run(to, target);
                } else if (finish) {
                    copy.inParts(to, options).finish();
                } else if (parts.part().isPresent()) {
                    copy.inParts(to, options).run(parts.part().get());
                } else if (missingOnly) {
                    copy.missingOnlyTo(to, options);
                } else {
                    copy.to(to, options);
                }
            } catch (ZarrException e) {
                ZarrException more = overwrite
                                || missingOnly
                                || finish
                                || parts.part().isPresent()
                                || !(e instanceof StoreException store)
                        ? e
                        : IntoGroup.hint(store, source, target, options);
                throw more == e ? Unfinished.hint(skipHint(e, from), to, target) : more;
            }
        }

        /** Prints the notes about nodes: each once, with the first of the nodes that have it. */
        private void tellNotes() {
            notes.forEach((how, paths) -> {
                List<String> others = paths.subList(1, Math.min(MAX_PATHS, paths.size()));
                int more = paths.size() - 1 - others.size();
                output().message("note: " + paths.get(0) + " " + how
                        + (others.isEmpty() ? "" : "; also " + String.join(", ", others))
                        + (more > 0 ? " and " + NodeFacts.count(more, "other node") : ""));
            });
            notes.clear();
        }

        /** Adds to the failure how to copy the other nodes of a tree, if one cannot be opened. */
        private ZarrException skipHint(ZarrException failure, ZarrNode from) {
            boolean isOfTree = from instanceof ZarrGroup
                    && failure instanceof UnsupportedException
                    && failure.array()
                            .filter(node -> isBelow(from.location(), node))
                            .isPresent();
            return isOfTree && !skipUnsupported
                    ? new UnsupportedException(
                            failure.getMessage()
                                    + "; --skip-unsupported copies the other nodes, and names those left out",
                            failure)
                    : failure;
        }

        /** Whether {@code node} is in the tree at {@code root}, and not beside it, such as those of the target. */
        private static boolean isBelow(String root, String node) {
            return node.startsWith(root)
                    && (root.endsWith("/")
                            || node.startsWith("/", root.length())
                            || node.startsWith("!", root.length()));
        }

        private void leaveOut(String path, UnsupportedException e) {
            reserved++;
            output().message("left out /" + path + ": " + e.fact());
        }

        /** Names a node that is legal to leave out, because readers of the source do not find it either. */
        private void leftOut(String path, HiddenNodes.Why why) {
            if (why == HiddenNodes.Why.FOLDER) {
                output().message("left out /" + path + ": a folder above it is no group, so readers do not find it; "
                        + "make it one with shardkit group, or copy the node itself");
            } else if (why == HiddenNodes.Why.ARRAY) {
                output().message("left out /" + path
                        + ": it lies in the folder of an array, so readers do not find it; copy the node itself");
            }
        }

        private void skip(String path, UnsupportedException e) {
            skipped++;
            output().message("skipped /" + path + ": " + e.fact());
        }

        private Copy copy(ZarrNode from, Store to) {
            Copy copy = Copy.of(from).skippingReserved(this::leaveOut);
            if (shardShape != null) {
                Optional<long[]> shards = Shards.shape(shardShape);
                copy = shards.isPresent()
                        ? copy.withShardShape(fitting("--shard-shape", shards.get(), from))
                        : copy.withoutShards();
            }
            if (chunkShape != null) {
                copy = copy.withChunkShape(fitting("--chunk-shape", chunkShape.values(), from));
            }
            if (shardShape != null && NamedFormat.name(to).isEmpty()) {
                Shards.shape(shardShape).ifPresent(shard -> Shards.divisible(shard, chunkShape, from));
            }
            if (codecs != null) {
                copy = NamedFormat.name(to).isPresent()
                        ? copy.withCodecs(Json.of(codecs)) // an encoding of that format
                        : copy.withCodecs(Options.codecs("--codecs", codecs, CopyCommand.typeSize(from)));
            }
            if (indexLocation != null) {
                copy = copy.withIndexLocation(indexLocation);
            }
            if (skipUnsupported) {
                copy = copy.skippingUnsupported(this::skip);
            }
            copy = copy.withNotes((path, how) ->
                    notes.computeIfAbsent(how, text -> new ArrayList<>()).add("/" + path));
            return overwrite ? copy.overwriting() : copy;
        }
    }

    /** The arrays of a tree may have other numbers of dimensions. */
    private static long[] fitting(String option, long[] lengths, ZarrNode from) {
        return from instanceof ZarrArray array
                ? Shards.fitting(option, lengths, array.shape())
                : Shards.positive(option, lengths);
    }
}
