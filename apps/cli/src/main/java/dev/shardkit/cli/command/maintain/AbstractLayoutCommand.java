package dev.shardkit.cli.command.maintain;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.option.ChunkShapeOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.PartOption;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.relayout.PartedRelayout;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.maintenance.relayout.Relayout.Summary;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * The base of the commands that change layouts: {@code shard}, {@code unshard}, {@code reshard} and {@code aggregate}.
 */
public abstract class AbstractLayoutCommand extends CheckingCommand {
    private static final String SHARDS =
            "The shape of shards in elements, such as 512,512; auto (the default of shard) "
                    + "aims at 10 to 100 MiB of stored data; none removes the shards.";

    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--dry-run", description = "Only print what would be done.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    @Mixin
    private PartOption parts = new PartOption();

    @Option(names = "--finish", description = "Replace an array whose parts were all made by --part.")
    private boolean finish;

    AbstractLayoutCommand(Output output) {
        super(output);
    }

    /** Returns the layout change for a node. */
    abstract Relayout createRelayout(ZarrNode node);

    /** Returns 1 with {@code --finish}, as all commands do if a part is missing. */
    @Override
    public final int faultStatus() {
        return finish ? 1 : super.faultStatus();
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return dryRun ? restartAdvice(command) : resumeAdvice(url, command);
    }

    @Override
    public final int run() {
        if ((dryRun ? 1 : 0) + (finish ? 1 : 0) + (parts.part().isPresent() ? 1 : 0) > 1) {
            throw new UsageException("--part, --finish and --dry-run exclude each other");
        }
        FindingText.Report report = new FindingText.Report(output(), "arrays", json);
        Summary summary;
        try (ZarrNode node = Zarr.open(url, options());
                ProgressDisplay progress = ProgressDisplay.of("layout", output())) {
            Relayout relayout =
                    createRelayout(node).withProgress((array, done, total) -> progress.onProgress(done, total));
            if (parts.part().isPresent()) {
                return stagePart(PartedRelayout.of(relayout), parts.part().get());
            }
            Consumer<Change> printChange = report.itemPrinter(change -> toJson(change), change -> toText(change));
            summary = AllOrNothing.<Change, Summary, RuntimeException>run(
                    node, printChange, changes -> run(relayout, changes));
        }
        report.finish(toJson(summary), toText(summary));
        return summary.refused() > 0 ? 1 : 0;
    }

    private Summary run(Relayout relayout, Consumer<? super Change> changes) {
        try {
            return finish
                    ? PartedRelayout.of(relayout).finish(changes)
                    : relayout.run(dryRun ? Mode.DRY_RUN : Mode.APPLY, changes);
        } catch (IllegalArgumentException e) { // its message names the shape, not the option
            UsageException usageError = new UsageException(
                    String.valueOf(e.getMessage()).replaceFirst("^(shard|chunk) shape(?=[: ])", "--$1-shape"));
            usageError.initCause(e);
            throw usageError;
        }
    }

    /** Makes one part of the change beside the array; the run with {@code --finish} puts all parts in place. */
    private int stagePart(PartedRelayout relayout, Part part) {
        PartedRelayout.Staged staged = relayout.stage(part);
        Json.Obj document =
                Json.object().with("objects", Json.of(staged.objects())).with("bytes", Json.of(staged.bytes()));
        String text = "part " + part + ": " + NodeText.count(staged.objects(), "object") + ", " + staged.bytes()
                + " bytes written; when all parts are complete, run --finish";
        output().writer().println(json ? document : text);
        return 0;
    }

    private static Json.Obj toJson(Change change) {
        Json.Obj json = Json.object()
                .with("node", Json.of(change.array()))
                .with("outcome", Json.of(FindingText.lowerCaseName(change.outcome())));
        if (change.reason().isPresent()) {
            return json.with(
                    "reason",
                    Json.of(ApiNameReplacement.replaceIn(change.reason().get())));
        }
        json = json.with("stored_shape", toJsonLengths(change.stored()))
                .with("chunk_shape", toJsonLengths(change.chunk()));
        return change.technique().isEmpty()
                ? json
                : json.with(
                                "technique",
                                Json.of(FindingText.lowerCaseName(
                                        change.technique().get())))
                        .with("objects", Json.of(change.objects()))
                        .with("bytes", Json.of(change.bytes()));
    }

    private static Json toJsonLengths(List<Long> shape) {
        return Json.of(shape.stream().mapToLong(n -> n).toArray());
    }

    private Json.Obj toJson(Summary summary) {
        return Json.object()
                .with("dry_run", Json.of(dryRun))
                .with("arrays", Json.of(summary.arrays()))
                .with("changed", Json.of(summary.changed()))
                .with("unchanged", Json.of(summary.unchanged()))
                .with("refused", Json.of(summary.refused()))
                .with("objects", Json.of(summary.objects()))
                .with("bytes", Json.of(summary.bytes()));
    }

    private String toText(Change change) {
        String name = change.array().isEmpty() ? "the array" : change.array();
        boolean hasShards = !change.stored().equals(change.chunk());
        String shapes = (hasShards ? "shards of " : "chunks of ")
                + shapeText(change.stored())
                + (hasShards ? " with inner chunks of " + shapeText(change.chunk()) : "");
        return switch (change.outcome()) {
            case UNCHANGED ->
                "unchanged " + name + ": "
                        + change.reason()
                                .map(reason -> ApiNameReplacement.replaceIn(reason) + "; " + shapes)
                                .orElse(shapes + " already");
            case REFUSED ->
                "refused " + name + ": "
                        + ApiNameReplacement.replaceIn(change.reason().orElse(""));
            case CHANGED ->
                (dryRun ? "would change " : "changed ") + name + ": " + shapes + ", inner chunks "
                        + change.technique().map(FindingText::lowerCaseName).orElse("")
                        + (dryRun
                                ? ""
                                : "; " + NodeText.count(change.objects(), "object") + ", " + change.bytes() + " bytes");
        };
    }

    private static String shapeText(List<Long> shape) {
        return shape.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    private String toText(Summary summary) {
        return NodeText.count(summary.arrays(), "array") + ", " + summary.changed()
                + (dryRun ? " to change, " : " changed, ") + summary.unchanged() + " unchanged, " + summary.refused()
                + " refused";
    }

    /** Options for the shape of shards. */
    static final class ShardShapeOptions {
        @Option(
                names = "--chunks-per-shard",
                paramLabel = "COUNTS",
                description = "The number of inner chunks along each dimension of a shard, such as 4,4; a "
                        + "single number counts for all dimensions; none removes the shards.")
        private @Nullable String chunksPerShard;

        @Option(names = "--shard-shape", paramLabel = "SHAPE", description = SHARDS)
        private @Nullable String shardShape;

        Optional<ShardLayout> shardLayout() {
            if (chunksPerShard != null && shardShape != null) {
                throw new UsageException("--chunks-per-shard and --shard-shape exclude each other: give one");
            }
            return chunksPerShard != null
                    ? Optional.of(parseCounts(chunksPerShard))
                    : Optional.ofNullable(shardShape).map(ShardShapeOptions::parseShape);
        }

        private static ShardLayout parseCounts(String text) {
            return text.equals("none")
                    ? ShardLayout.unsharded()
                    : ShardLayout.chunksPerShard(parsePositive("--chunks-per-shard", text));
        }

        static ShardLayout parseShape(String text) {
            return text.equals("auto")
                    ? ShardLayout.automatic()
                    : text.equals("none")
                            ? ShardLayout.unsharded()
                            : ShardLayout.shardShape(parsePositive("--shard-shape", text));
        }

        private static long[] parseLengths(String option, String text) {
            try {
                return Lengths.parse(text).values();
            } catch (TypeConversionException e) {
                throw new UsageException(option + ": " + e.getMessage());
            }
        }

        private static long[] parsePositive(String option, String text) {
            return ChunkShapeOptions.requirePositive(option, parseLengths(option, text));
        }
    }

    /** {@code shard}. */
    @Command(
            name = "shard",
            description = {
                "Pack the chunks of an array, or of all arrays of a tree, into shards.",
                "Encoded chunks are copied without decoding. Arrays that already have this layout are skipped; "
                        + "rerunning resumes an interrupted run.",
                "Exit status: 0 done, 1 arrays were refused or --finish misses a part, 2 wrong usage, 3 the command "
                        + "did not finish."
            })
    public static final class Shard extends AbstractLayoutCommand {
        @Mixin
        private ShardShapeOptions shapeOptions = new ShardShapeOptions();

        public Shard(Output output) {
            super(output);
        }

        @Override
        Relayout createRelayout(ZarrNode node) {
            return Relayout.of(node, shapeOptions.shardLayout().orElseGet(ShardLayout::automatic));
        }
    }

    /** {@code unshard}. */
    @Command(
            name = "unshard",
            description = {
                "Store each innermost chunk as an object of its own, for an array or a whole tree.",
                "Encoded chunks are copied without decoding. Arrays that already have this layout are skipped; "
                        + "rerunning resumes an interrupted run.",
                "Exit status: 0 done, 1 arrays were refused or --finish misses a part, 2 wrong usage, 3 the command "
                        + "did not finish."
            })
    public static final class Unshard extends AbstractLayoutCommand {
        public Unshard(Output output) {
            super(output);
        }

        @Override
        Relayout createRelayout(ZarrNode node) {
            return Relayout.of(node, ShardLayout.unsharded());
        }
    }

    /** {@code reshard}. */
    @Command(
            name = "reshard",
            description = {
                "Change the number of inner chunks in each shard, for an array or a whole tree.",
                "Encoded chunks are copied without decoding. Arrays that already have this layout are skipped; "
                        + "rerunning resumes an interrupted run.",
                "Exit status: 0 done, 1 arrays were refused or --finish misses a part, 2 wrong usage, 3 the command "
                        + "did not finish."
            })
    public static final class Reshard extends AbstractLayoutCommand {
        @Mixin
        private ShardShapeOptions shapeOptions = new ShardShapeOptions();

        public Reshard(Output output) {
            super(output);
        }

        @Override
        Relayout createRelayout(ZarrNode node) {
            return Relayout.of(
                    node,
                    shapeOptions
                            .shardLayout()
                            .orElseThrow(() -> new UsageException("give --chunks-per-shard or --shard-shape")));
        }
    }

    /** {@code aggregate}. */
    @Command(
            name = "aggregate",
            description = {
                "Change the chunk shape of an array. --shard-shape none stores the chunks without shards.",
                "Chunks that fit the new layout are copied without decoding; others are decoded and encoded "
                        + "again, region by region.",
                "Exit status: 0 done, 1 arrays were refused or --finish misses a part, 2 wrong usage, 3 the command "
                        + "did not finish."
            })
    public static final class Aggregate extends AbstractLayoutCommand {
        @Option(
                names = "--chunk-shape",
                paramLabel = "SHAPE",
                required = true,
                description = "The shape of chunks, or of inner chunks, such as 64,64.")
        private Lengths chunkShape = new Lengths(new long[0]);

        @Option(names = "--shard-shape", paramLabel = "SHAPE", required = true, description = SHARDS)
        private String shardShape = "none";

        public Aggregate(Output output) {
            super(output);
        }

        @Override
        Relayout createRelayout(ZarrNode node) {
            return Relayout.of(node, ShardShapeOptions.parseShape(shardShape))
                    .withChunkShape(ChunkShapeOptions.requirePositive("--chunk-shape", chunkShape.values()));
        }
    }
}
