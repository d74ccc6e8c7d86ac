package dev.shardkit.cli.command.maintain;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.option.PartOption;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.VerificationText;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verify}: checks all stored data of an array or a tree. */
@Command(
        name = "verify",
        description = {
            "Report damage in an array or a tree. Changes nothing.",
            "Checks metadata, shard indexes and unused bytes, decodes all chunks, and names stray chunks, abandoned"
                    + " uploads, and nodes that readers cannot find because a folder above them is no group or an array. In a ZIP archive, compares the CRC-32 of each entry.",
            "With --part, the first part also checks metadata, and names stray chunks and what interrupted writers have left.",
            "Exit status: 0 no errors (notes do not count), 1 errors, 2 wrong usage, 3 the command did not finish."
        })
public final class VerifyCommand extends CheckingCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--no-decode", description = "Read indexes only: skip chunks and innermost inner chunks.")
    private boolean noDecode;

    @Mixin
    private PartOption parts = new PartOption();

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public VerifyCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() {
        FindingText.Report report = new FindingText.Report(output(), "findings", json);
        Consumer<Finding> printFinding = report.itemPrinter(
                finding -> FindingText.toJson(finding), finding -> ApiNameReplacement.replaceIn(finding.toString()));
        Summary summary = verify(printFinding);
        report.finish(toJson(summary), VerificationText.toLine(summary));
        return summary.errors() > 0 ? 1 : 0;
    }

    /** Checks the node. A root that cannot be opened is a finding, not a failure. */
    private Summary verify(Consumer<Finding> printFinding) {
        ZarrOptions options = options();
        try (Store store = Zarr.openStore(url, options);
                ProgressDisplay progress = ProgressDisplay.of("verify", output())) {
            Optional<ZarrNode> root;
            try {
                root = Zarr.find(store, "", options);
            } catch (MetadataException | UnsupportedException | CorruptDataException e) {
                printFinding.accept(Verification.findingOfNode("", e));
                return new Summary(0, 0, 0, 0, 0, 0, 0, 1, 0); // one error; nothing else was checked
            }
            try (ZarrNode node = root.isPresent() ? root.get() : Zarr.open(url, options)) {
                Verification verification =
                        Verification.of(node).withProgress((array, done, total) -> progress.onProgress(done, total));
                Part wholeNode = new Part(1, 1);
                verification = verification.withPart(parts.part().orElse(wholeNode));
                return (noDecode ? verification.withoutDecoding() : verification).run(printFinding);
            }
        }
    }

    private static Json.Obj toJson(Summary summary) {
        return Json.object()
                .with("arrays", Json.of(summary.arrays()))
                .with("shards", Json.of(summary.shards()))
                .with("inner_shards", Json.of(summary.innerShards()))
                .with("inner_chunks", Json.of(summary.innerChunks()))
                .with("chunks", Json.of(summary.chunks()))
                .with("bytes", Json.of(summary.bytes()))
                .with("unused_bytes", Json.of(summary.unusedBytes()))
                .with("errors", Json.of(summary.errors()))
                .with("notes", Json.of(summary.notes()));
    }
}
