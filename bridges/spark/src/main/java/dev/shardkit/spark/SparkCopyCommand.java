package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.spi.codec.IndexLocation;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The base class of the commands that copy on Spark: {@code copy}, {@code reshard}, {@code aggregate} and
 * {@code convert}.
 */
abstract class SparkCopyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SRC", description = "The location of the array or group.")
    private String source = "";

    @Parameters(paramLabel = "DST", description = "The location of the copy.")
    private String target = "";

    @Option(names = "--overwrite", description = "Replace an existing array, group or unfinished copy.")
    private boolean overwrite;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "The most tasks for each array (default: 16 for each core, at most 10000).")
    private int tasks;

    @Option(
            names = "--max-memory",
            paramLabel = "SIZE",
            description = {
                "Limit the memory of a task, such as 2g (k, m, g, t: powers of 1024), and print the plan of the copy. "
                        + "SRC must be one array. The copy takes one pass if that decodes each chunk of SRC at most 3 "
                        + "times on average. Otherwise it takes two passes through an intermediate array in "
                        + "DST/__rechunk, which takes the space of a second copy until the copy is complete."
            })
    private @Nullable String maxMemory;

    @Option(
            names = "--codecs",
            paramLabel = "JSON",
            description = "The codecs, as names with optional levels or as a JSON list, such as zstd:3,crc32c.")
    private @Nullable String codecs;

    /** Returns the job with the options that only this command has. */
    abstract CopyJob with(CopyJob job);

    final String source() {
        return source;
    }

    @Override
    public final Integer call() {
        CopyJob withLayout = with(CopyJob.of(source, target)).withMessages(System.err::println);
        CopyJob withCodecs =
                codecs == null ? withLayout : withLayout.withCodecs(Options.codecs("--codecs", codecs, this::typeSize));
        CopyJob withTasks = tasks == 0 ? withCodecs : withCodecs.withTasks(tasks);
        CopyJob job = maxMemory == null ? withTasks : withTasks.withMaxMemory(Options.bytes("--max-memory", maxMemory));
        return Main.inSpark("copy", spark -> {
            CopyJob.Summary summary = (overwrite ? job.overwriting() : job).run(spark);
            System.err.println("the copy is complete: " + NodeText.count(summary.touched(), "shard") + " with data"
                    + (summary.skipped() == 0 ? "" : ", " + summary.skipped() + " of them stored by an earlier run"));
            return 0;
        });
    }

    /** Returns the size of the source's elements; 1 for groups and elements of varying size. */
    private int typeSize() {
        try (ZarrNode node = Zarr.open(source(), ZarrOptions.defaults())) {
            return node instanceof ZarrArray array
                    ? array.dataType().elementSize().orElse(1)
                    : 1;
        }
    }

    /** Applies an option with the shape of shards, or {@code none}. */
    static CopyJob shards(CopyJob job, String option, String shape) {
        return shape.equals("none") ? job.withoutShards() : job.withShardShape(lengths(option, shape));
    }

    /** Parses lengths such as "512,512". */
    static long[] lengths(String option, String text) {
        if (!text.matches("[0-9]{1,18}( *, *[0-9]{1,18})*")) {
            throw new IllegalArgumentException(
                    option + ": expected integers separated by commas, found '" + text + "'");
        }
        return java.util.Arrays.stream(text.split(","))
                .mapToLong(length -> Long.parseLong(length.strip()))
                .toArray();
    }

    /** {@code copy}. */
    @Command(
            name = "copy",
            mixinStandardHelpOptions = true,
            description = {
                "Copy an array or a tree. Options change the layout; everything else stays the same.",
                "Metadata is written last. Rerunning the command resumes an interrupted copy."
            })
    static final class Plain extends SparkCopyCommand {
        @Option(
                names = "--shard-shape",
                paramLabel = "SHAPE",
                description = "The shape of shards, such as 512,512; none for a copy without shards.")
        private @Nullable String shardShape;

        @Option(names = "--chunk-shape", paramLabel = "SHAPE", description = "The shape of chunks, or of inner chunks.")
        private @Nullable String chunkShape;

        @Option(names = "--index-location", paramLabel = "start|end", description = "The position of the shard index.")
        private @Nullable String indexLocation;

        @Override
        CopyJob with(CopyJob job) {
            CopyJob all = shardShape != null ? shards(job, "--shard-shape", shardShape) : job;
            all = chunkShape != null ? all.withChunkShape(lengths("--chunk-shape", chunkShape)) : all;
            return indexLocation != null ? all.withIndexLocation(location(indexLocation)) : all;
        }

        private static IndexLocation location(String text) {
            return switch (text) {
                case "start" -> IndexLocation.START;
                case "end" -> IndexLocation.END;
                default ->
                    throw new IllegalArgumentException("--index-location: expected start or end, found '" + text + "'");
            };
        }
    }

    /** {@code reshard}. */
    @Command(
            name = "reshard",
            mixinStandardHelpOptions = true,
            description =
                    "Copy an array or a tree with other shards. Inner chunks keep their shape and, without --codecs, "
                            + "their codecs.")
    static final class Reshard extends SparkCopyCommand {
        @Option(
                names = "--shard-shape",
                paramLabel = "SHAPE",
                required = true,
                description = "The shape of shards, such as 512,512; none for a copy without shards.")
        private String shardShape = "none";

        @Override
        CopyJob with(CopyJob job) {
            return shards(job, "--shard-shape", shardShape);
        }
    }

    /** {@code aggregate}. */
    @Command(
            name = "aggregate",
            mixinStandardHelpOptions = true,
            description = "Copy an array with other chunks. --shard-shape none stores the chunks without shards.")
    static final class Aggregate extends SparkCopyCommand {
        @Option(
                names = "--chunk-shape",
                paramLabel = "SHAPE",
                required = true,
                description = "The shape of chunks, or of inner chunks, such as 64,64.")
        private String chunkShape = "";

        @Option(
                names = "--shard-shape",
                paramLabel = "SHAPE",
                required = true,
                description = "The shape of shards, such as 512,512; none for a copy without shards.")
        private String shardShape = "none";

        @Override
        CopyJob with(CopyJob job) {
            return shards(job, "--shard-shape", shardShape).withChunkShape(lengths("--chunk-shape", chunkShape));
        }
    }

    /** {@code convert}. */
    @Command(
            name = "convert",
            mixinStandardHelpOptions = true,
            description = "Copy a node of another format, such as Zarr v2 or N5, as Zarr v3. Chunks are encoded again.")
    static final class Convert extends SparkCopyCommand {
        @Override
        CopyJob with(CopyJob job) {
            return job;
        }
    }
}
