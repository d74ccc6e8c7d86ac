package dev.shardkit.cli.command.copy;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.command.ome.OmeCommand;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.convert.Conversion.Node;
import dev.shardkit.maintenance.convert.Conversion.Outcome;
import dev.shardkit.maintenance.convert.Conversion.Summary;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code convert}: converts nodes of older formats to Zarr v3, in place or to another folder. With DST, it is the
 * command {@code copy}.
 */
@Command(
        name = "convert",
        description = {
            "Convert arrays and groups to Zarr v3.",
            "convert SRC DST makes a copy in Zarr v3 of an array or group in any format. It is the command copy: "
                    + "shardkit copy --help describes the options, the exit status and how to resume.",
            "convert SRC converts Zarr v2, N5 and the 2022 draft in place: only zarr.json is written, beside the old "
                    + "documents. Chunks keep their encoding; storage transformers become shards. Rerunning the command resumes an interrupted run.",
            "convert SRC --to OUT does the same in another folder: chunks are copied with their encoding. It differs from "
                    + "convert SRC DST, which reads any format and takes the options of copy.",
            "After a conversion in place, an array has the metadata of both formats. shard, reshard, unshard and "
                    + "aggregate refuse it, because readers of the old format would read wrong values. Remove the old "
                    + "documents first: .zarray, .zattrs and their entries in .zmetadata, or attributes.json.",
            "Exit status without DST: 0 done, 1 a node has no counterpart (nothing was written), 2 wrong usage, 3 the "
                    + "command did not finish."
        })
public final class ConvertCommand extends ShardkitCommand {
    @Parameters(index = "0", paramLabel = "SRC", description = "The location of the array or group.")
    private String url = "";

    @Parameters(
            index = "1",
            paramLabel = "DST",
            arity = "0..1",
            description = "The location of the copy in Zarr v3 (default: convert in place).")
    private @Nullable String destination;

    @Mixin
    private CopyOptions copyOptions = new CopyOptions();

    @Option(
            names = "--to",
            paramLabel = "OUT",
            description =
                    "Write to this folder and leave the source unchanged. Arrays in Zarr v3 are not written: use copy for "
                            + "them.")
    private @Nullable String target;

    @Option(
            names = "--numcodecs-names",
            description =
                    "Keep codecs that only numcodecs defines, such as numcodecs.zlib, and copy their chunks without "
                            + "decoding; zarr-python reads them. Default: encode again with codecs of Zarr v3.")
    private boolean numcodecsNames;

    @Option(names = "--dry-run", description = "Only print what would be done.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public ConvertCommand(Output output) {
        super(output);
    }

    @Override
    public int faultStatus() {
        return destination != null ? copyOptions.faultStatus() : 3;
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        if (destination != null) {
            return copyOptions.adviceAfterSignal(url, destination, command);
        }
        return dryRun ? restartAdvice(command) : resumeAdvice(target != null ? target : url, command);
    }

    @Override
    public int run() throws IOException {
        if (destination != null) {
            if (target != null || numcodecsNames || dryRun || json) {
                throw new UsageException(
                        "--to, --numcodecs-names, --dry-run and --json are for a conversion without DST; "
                                + "convert SRC --to DST keeps the encoding of chunks");
            }
            return copyOptions.copy(this, url, destination);
        } else if (copyOptions.isAnySet()) {
            throw new UsageException(
                    "the options of copy, such as --shard-shape and --overwrite, need DST: convert SRC DST");
        } else if (target != null) {
            OutputLocationCheck.refuseOverlap(url, target);
        }
        ZarrOptions options = plainOptions();
        try (Store source = Zarr.openStore(url, options())) { // --node-format names the format of SRC only
            if (target == null) {
                if (!dryRun && !source.can(Writes.class)) {
                    throw new UnsupportedException("the store " + source.describe()
                            + " cannot write objects, so it cannot be converted in place; shardkit convert SRC DST "
                            + "makes a copy in Zarr v3");
                }
                int status = run(Conversion.inPlace(source, options));
                noteOmeVersion(source, url, options, status);
                return status;
            }
            int status;
            try (Store targetStore = Zarr.openStore(target, options)) {
                status = run(Conversion.to(source, targetStore, options));
                noteOmeVersion(targetStore, target, options, status);
            }
            if (status == 0 && !dryRun) {
                ParentGroupCreation.createMissing(target, options, output());
            }
            return status;
        }
    }

    private void noteOmeVersion(Store store, String location, ZarrOptions options, int status) {
        if (status == 0 && !dryRun) {
            OmeCommand.upgradeNote(store, location, options).ifPresent(output()::printMessage);
        }
    }

    private int run(Conversion conversion) {
        FindingText.Report report = new FindingText.Report(output(), "nodes", json);
        Consumer<Node> printNode = report.itemPrinter(node -> toJson(node), node -> toText(node));
        if (!json) {
            printNode = printNode.andThen(
                    node -> node.notes().forEach(note -> output().printMessage("/" + node.path() + ": note: " + note)));
        }
        Summary summary;
        try (ProgressDisplay progress = ProgressDisplay.of("convert", output())) {
            Conversion configured = (numcodecsNames ? conversion.withNamesOfNumcodecs() : conversion)
                    .withProgress((array, done, total) -> progress.onProgress(done, total));
            summary = configured.run(dryRun ? Mode.DRY_RUN : Mode.APPLY, printNode);
        }
        report.finish(toJson(summary), toText(summary));
        return summary.refused() > 0 ? 1 : 0;
    }

    private static Json.Obj toJson(Node node) {
        Json.Obj json = Json.object()
                .with("node", Json.of(node.path()))
                .with("outcome", Json.of(FindingText.lowerCaseName(node.outcome())))
                .with("chunks", Json.of(node.objects()));
        json = node.reason().isPresent()
                ? json.with(
                        "reason",
                        Json.of(ApiNameReplacement.replaceIn(node.reason().get())))
                : json;
        return node.notes().isEmpty() ? json : json.with("notes", Json.of(node.notes()));
    }

    private Json.Obj toJson(Summary summary) {
        return Json.object()
                .with("dry_run", Json.of(dryRun))
                .with("nodes", Json.of(summary.nodes()))
                .with("converted", Json.of(summary.converted()))
                .with("unchanged", Json.of(summary.unchanged()))
                .with("refused", Json.of(summary.refused()))
                .with("chunks", Json.of(summary.objects()));
    }

    private String toText(Node node) {
        String prefix = dryRun ? "would be " : "";
        String action =
                switch (node.outcome()) {
                    case DESCRIBED -> prefix + "described";
                    case COPIED -> prefix + "copied";
                    case RECODED -> prefix + "encoded again";
                    case UNCHANGED -> "already Zarr v3";
                    case REFUSED -> "refused";
                };
        boolean wroteChunks = !dryRun && (node.outcome() == Outcome.COPIED || node.outcome() == Outcome.RECODED);
        return "/" + node.path() + ": " + action + (wroteChunks ? ", " + NodeText.count(node.objects(), "chunk") : "")
                + node.reason()
                        .map(reason -> "; " + ApiNameReplacement.replaceIn(reason))
                        .orElse("");
    }

    private String toText(Summary summary) {
        return NodeText.count(summary.nodes(), "node") + ", " + summary.converted()
                + (dryRun ? " to convert, " : " converted, ")
                + summary.unchanged() + " already Zarr v3, " + summary.refused() + " refused; "
                + NodeText.count(summary.objects(), "chunk")
                + " written";
    }
}
