package dev.shardkit.cli.command.maintain;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Repair.Summary;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code repair}: cleans up after crashes, and on request removes damaged data. */
@Command(
        name = "repair",
        description = {
            "Report the traces of a crash in an array or a tree; with --apply clean them up.",
            "Traces are interrupted changes in place, bytes after a shard's last valid index, stale temporary files,"
                    + " abandoned uploads and stray chunks.",
            "The report lists all removed data.",
            "Exit status: 0 no damage, or all of it repaired; 1 damage remains, or without --apply there is something to "
                    + "repair; 2 wrong usage; 3 the command did not finish."
        })
public final class RepairCommand extends CheckingCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--apply", description = "Apply the repairs; without this nothing is changed.")
    private boolean apply;

    @Option(
            names = "--drop-corrupt",
            description = "Also remove chunks and inner chunks that do not decode, and shards"
                    + " without a valid index; they read as the fill value afterwards. This decodes all chunks.")
    private boolean dropCorrupt;

    @Option(
            names = "--drop-strays",
            description = "Also delete stray chunks, which no reader finds: chunks outside the grid, or with a key in "
                    + "the other encoding. A failed append or change of layout leaves them, and so does resize "
                    + "--keep-outside. Without this option, they are only listed.")
    private boolean dropStrays;

    @Option(
            names = "--foreign",
            paramLabel = "refuse|keep|drop",
            defaultValue = "refuse",
            description =
                    "What to do with a shard that has foreign bytes (not written as Zarr) before or after its inner "
                            + "chunks: refuse it, keep them or drop them (default: refuse).")
    private ForeignBytes foreign = ForeignBytes.REFUSE;

    @Option(
            names = "--backup",
            paramLabel = "DIR",
            description = "Before something is removed from an object, copy the object to the same key below DIR. DIR "
                    + "must lie apart from the data. An object of an earlier backup is not replaced; then the fault "
                    + "remains.")
    private @Nullable String backup;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public RepairCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return apply ? resumeAdvice(url, command) : restartAdvice(command);
    }

    @Override
    public int run() {
        FindingText.Report report = new FindingText.Report(output(), "steps", json);
        Consumer<RepairStep> printStep = report.itemPrinter(step -> toJson(step), step -> toText(step));
        int[] strayCount = new int[1]; // an array, so that the lambda can count
        Summary summary = repair(step -> {
            strayCount[0] += step.kind() == RepairStep.Kind.STRAY ? 1 : 0;
            printStep.accept(step);
        });
        report.finish(
                Json.object()
                        .with("dry_run", Json.of(!apply))
                        .with("arrays", Json.of(summary.arrays()))
                        .with("done", Json.of(summary.done()))
                        .with("lost_chunks", Json.of(summary.lostChunks()))
                        .with("lost_shards", Json.of(summary.lostShards()))
                        .with("left", Json.of(summary.left())),
                NodeText.count(summary.arrays(), "array") + ", " + resultText(summary)
                        + (strayCount[0] == 0
                                ? ""
                                : "; " + NodeText.count(strayCount[0], "stray chunk")
                                        + " kept (--drop-strays deletes)"));
        return summary.left() > 0 || (!apply && summary.done() > 0) ? 1 : 0;
    }

    private String resultText(Summary summary) {
        if (summary.done() + summary.lostChunks() + summary.lostShards() + summary.left() == 0) {
            return "nothing to repair" + (dropCorrupt ? "" : " (chunks are not checked; shardkit verify does)");
        }
        return NodeText.count(summary.done(), "step")
                + (apply ? " done, " : " to do (--apply does them), ")
                + NodeText.count(summary.lostChunks(), "chunk or inner chunk", "chunks and inner chunks")
                + " lost, "
                + (summary.lostShards() == 0
                        ? ""
                        : NodeText.count(summary.lostShards(), "shard") + " lost with all inner chunks, ")
                + summary.left() + " not repaired"
                + (dropCorrupt ? "" : "; chunks were not decoded (shardkit verify does; --drop-corrupt repairs them)");
    }

    private Summary repair(Consumer<RepairStep> printStep) {
        ZarrOptions options = plainOptions();
        if (backup == null) {
            return repair(printStep, repair -> repair);
        }
        try (Store store = Zarr.openStore(backup, options)) {
            return repair(printStep, repair -> repair.withBackup(store));
        }
    }

    private Summary repair(Consumer<RepairStep> printStep, UnaryOperator<Repair> configure) {
        try (ZarrNode node = Zarr.open(url, options());
                ProgressDisplay progress = ProgressDisplay.of("repair", output())) {
            Repair repair = configure.apply(Repair.of(node)
                    .withForeignBytes(foreign)
                    .withProgress((array, done, total) -> progress.onProgress(done, total)));
            Repair withDroppedChunks = dropCorrupt ? repair.droppingCorruptShards() : repair;
            Repair configured = dropStrays ? withDroppedChunks.droppingStrays() : withDroppedChunks;
            return AllOrNothing.<RepairStep, Summary, RuntimeException>run(
                    node, printStep, steps -> configured.run(apply ? Mode.APPLY : Mode.DRY_RUN, steps));
        }
    }

    /** Returns a step as JSON, without members for absent details. */
    private static Json.Obj toJson(RepairStep step) {
        Json.Obj json = Json.object()
                .with("kind", Json.of(FindingText.lowerCaseName(step.kind())))
                .with("node", Json.of(step.array()));
        if (step.location().flatMap(location -> location.key()).isPresent()) {
            json = json.with(
                            "key",
                            Json.of(step.location()
                                    .flatMap(location -> location.key())
                                    .get()))
                    .with(
                            "inner_chunk",
                            new Json.Arr(step.location().get().innerChunks().stream()
                                    .map(Json::of)
                                    .toList()));
        }
        if (step.bytes().isPresent()) {
            Extent bytes = step.bytes().get();
            json = json.with("offset", Json.of(bytes.offset())).with("size", Json.of(bytes.size()));
        }
        return json.with("reason", Json.of(ApiNameReplacement.replaceIn(step.reason())));
    }

    /** Returns a step as a line of text. */
    private String toText(RepairStep step) {
        String action =
                switch (step.kind()) {
                    case END_CHANGE -> "complete or roll back change in place";
                    case CUT -> "cut";
                    case REBUILD_INDEX -> "rebuild index";
                    case DROP_INNER_CHUNK -> "drop inner chunk";
                    case DROP_CHUNK -> "drop chunk";
                    case DROP_SHARD -> "drop shard";
                    case REMOVE_TEMPORARY -> "remove temporary file";
                    case STRAY -> "stray chunk (--drop-strays deletes it)";
                    case DROP_STRAY -> "delete stray chunk";
                    case LEFT -> "not repaired";
                };
        return action + ": "
                + step.location()
                        .map(location -> location + ": ")
                        .orElse(step.array().isEmpty() ? "" : step.array() + ": ")
                + step.bytes()
                        .map(bytes -> "bytes " + bytes.offset() + " to " + (bytes.offset() + bytes.size()) + ": ")
                        .orElse("")
                + ApiNameReplacement.replaceIn(step.reason());
    }
}
