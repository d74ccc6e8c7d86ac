package dev.shardkit.cli;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.maintenance.HiddenNodes;
import dev.shardkit.maintenance.SourceNode;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code copy}: copies an array or a tree, optionally with another layout. */
@Command(
        name = "copy",
        description = {
            "Copy an array or a tree of any format. Without options, local arrays of Zarr are copied as stored.",
            "Options change the layout; everything else stays the same. With shards, chunk shape and codecs are "
                    + "those of inner chunks.",
            "DST may begin with n5:, neuroglancer: or wkw: to write one array in that format. --codecs is then raw, gzip, "
                    + "zlib, bzip2, xz, zstd, blosc or lz4, with an optional level as in gzip:6 (n5), raw, jpeg, png or "
                    + "compressed_segmentation (neuroglancer), raw or lz4 (wkw). Such a copy has no parts, and if it is "
                    + "interrupted, remove DST with shardkit rm and copy again.",
            "Metadata is written last. Rerunning the command resumes an interrupted copy into Zarr if SRC is local, or with "
                    + "--part or --missing-only.",
            "Several processes share a copy: run every part, --part 1/8 to --part 8/8, then --finish, with the same other "
                    + "options. No other program may write to DST meanwhile, and SRC must not change.",
            "Exit status: 0 done; 1 the copy failed; 2 wrong usage. With --skip-unsupported: 1 some nodes were left out, "
                    + "3 the copy failed."
        })
final class CopyCommand extends ShardkitCommand {
    @Parameters(paramLabel = "SRC", description = "The location of the array or group, in any format.")
    private String source = "";

    @Parameters(paramLabel = "DST", description = "The location of the copy.")
    private String target = "";

    @Option(
            names = "--shard-shape",
            paramLabel = "SHAPE",
            description = "The shape of shards, such as 512,512; none " + "for a copy without shards.")
    private @Nullable String shardShape;

    @Option(names = "--chunk-shape", paramLabel = "SHAPE", description = "The shape of chunks, or of inner chunks.")
    private @Nullable Lengths chunkShape;

    @Option(
            names = "--codecs",
            paramLabel = "JSON",
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

    private int skipped;
    private int reserved;

    CopyCommand(Output output) {
        super(output);
    }

    @Override
    int faultStatus() {
        return skipUnsupported ? 3 : 1;
    }

    @Override
    int run() throws IOException {
        ZarrOptions options = plainOptions();
        checkApart(source, target);
        boolean changesLayout = shardShape != null || chunkShape != null || codecs != null || indexLocation != null;
        if (missingOnly && (overwrite || changesLayout)) {
            throw new WrongUse("--missing-only keeps the layout and overwrites nothing: it cannot be combined with "
                    + "--overwrite, --shard-shape, --chunk-shape, --codecs or --index-location");
        }
        if ((finish || parts.part().isPresent())
                && (overwrite || missingOnly || finish && parts.part().isPresent())) {
            throw new WrongUse("--part, --finish, --overwrite and --missing-only exclude each other: to replace DST, "
                    + "remove it first");
        }
        if (maxMemory != null
                && (finish || missingOnly || skipUnsupported || parts.part().isPresent())) {
            throw new WrongUse(
                    "--max-memory cannot be combined with --part, --finish, --missing-only or " + "--skip-unsupported");
        }
        boolean isNamed;
        try (ZarrNode from = Zarr.open(source, options());
                Store to = Zarr.openStore(target, options);
                Progress progress = Progress.of("copy", output())) {
            UnnamedDimensions.note(source, from, to, options).ifPresent(output()::message);
            UnnamedFormat.note(target, to).ifPresent(output()::message);
            Copy copy = copy(from, to).withProgress((array, done, total) -> progress.onProgress(done, total));
            run(copy, from, to, options);
            if (parts.part().isEmpty()) {
                HiddenNodes.below(from, this::leftOut);
            }
            isNamed = GroupsAbove.noteRoot(to, options, output());
        }
        if (parts.part().isEmpty() && !isNamed) {
            GroupsAbove.make(target, options, output());
        }
        return skipped > 0 || reserved > 0 && parts.part().isEmpty() ? 1 : 0;
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

    /** Adds to the failure how to copy the other nodes of a tree, if one cannot be opened. */
    private ZarrException skipHint(ZarrException failure, ZarrNode from) {
        boolean isOfTree = from instanceof ZarrGroup
                && failure instanceof UnsupportedException
                && failure.array()
                        .filter(node -> isBelow(from.location(), node))
                        .isPresent();
        return isOfTree && !skipUnsupported
                ? new UnsupportedException(
                        failure.getMessage() + "; --skip-unsupported copies the other nodes, and names those left out",
                        failure)
                : failure;
    }

    /** Whether {@code node} is in the tree at {@code root}, and not beside it, such as those of the target. */
    private static boolean isBelow(String root, String node) {
        return node.startsWith(root)
                && (root.endsWith("/") || node.startsWith("/", root.length()) || node.startsWith("!", root.length()));
    }

    private void leaveOut(String path, UnsupportedException e) {
        reserved++;
        output().message("left out /" + path + ": " + e.fact());
    }

    /** Names a node that is legal to leave out, because readers of the source do not find it either. */
    private void leftOut(String path, HiddenNodes.Why why) {
        if (why == HiddenNodes.Why.FOLDER) {
            output().message(
                            "left out /" + path + ": a folder above it is no group, so readers do not find it; make it "
                                    + "one with shardkit group, or copy the node itself");
        } else if (why == HiddenNodes.Why.ARRAY) {
            output().message("left out /" + path
                    + ": it lies in the folder of an array, so readers do not find it; copy " + "the node itself");
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
                    : copy.withCodecs(Options.codecs("--codecs", codecs, typeSize(from)));
        }
        if (indexLocation != null) {
            copy = copy.withIndexLocation(indexLocation);
        }
        if (skipUnsupported) {
            copy = copy.skippingUnsupported(this::skip);
        }
        return overwrite ? copy.overwriting() : copy;
    }

    /** The arrays of a tree may have other numbers of dimensions. */
    private static long[] fitting(String option, long[] lengths, ZarrNode from) {
        return from instanceof ZarrArray array
                ? Shards.fitting(option, lengths, array.shape())
                : Shards.positive(option, lengths);
    }

    /** Returns the size of an element, for codecs that need it. */
    static IntSupplier typeSize(ZarrNode from) {
        return () -> {
            if (from instanceof ZarrArray array) {
                return array.dataType().elementSize().orElse(1);
            }
            throw new WrongUse("--codecs: the short form of blosc needs one data type; for a tree, give JSON");
        };
    }

    /** Refuses a copy into its own source or out of its own target: {@code --overwrite} would delete the source. */
    static void checkApart(String source, String target) throws IOException {
        Optional<Path> from = folder(source);
        Optional<Path> to = folder(target);
        if (from.isPresent() && to.isPresent() && SourceNode.overlap(from.get(), to.get())) {
            throw new WrongUse("source and target overlap: " + source + ", " + target);
        }
    }

    /**
     * Parses the URL. Java's exception repeats the whole URL, so the message shows it only if it cannot contain a
     * password.
     */
    private static Path path(String url) {
        try {
            return Path.of(new URI(url));
        } catch (URISyntaxException e) {
            throw new WrongUse("not a valid file: URL: " + e.getReason() + " at index " + e.getIndex());
        }
    }

    /** Returns the real folder of a path or {@code file:} URL, resolving the part that exists. */
    static Optional<Path> folder(String url) throws IOException {
        boolean isFile = url.startsWith("file:");
        if (!isFile && url.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
            return Optional.empty();
        }
        return Optional.of(folder(isFile ? path(url) : Path.of(url)));
    }

    /** Returns the real form of a path, resolving the part that exists. */
    static Path folder(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path there = absolute;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return there == null
                ? absolute.normalize()
                : there.toRealPath().resolve(there.relativize(absolute)).normalize();
    }
}
