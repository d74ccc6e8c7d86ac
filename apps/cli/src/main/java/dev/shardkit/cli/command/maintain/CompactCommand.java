package dev.shardkit.cli.command.maintain;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.print.ApiNameReplacement;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.check.Compaction;
import dev.shardkit.maintenance.check.Compaction.Shard;
import dev.shardkit.maintenance.check.Compaction.Summary;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.ShardWritePolicy.Order;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compact}: rewrites shards without unused bytes. */
@Command(
        name = "compact",
        description = {
            "Rewrite shards without their unused bytes (bytes that no index entry points to).",
            "Inner chunks are copied without decoding. Each shard is replaced atomically.",
            "Exit status: 0 done, 1 shards were refused, 2 wrong usage, 3 the command did not finish."
        })
public final class CompactCommand extends CheckingCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(
            names = "--threshold",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description = "Only shards with more than this percentage of unused bytes (default: 0).")
    private int threshold;

    @Option(
            names = "--order",
            paramLabel = "c|fortran|morton|as-they-come",
            defaultValue = "c",
            description =
                    "The order of inner chunks in the rewritten shards; write --help explains the names (default: c).")
    private Order order = Order.C;

    @Option(
            names = "--foreign",
            paramLabel = "refuse|keep|drop",
            defaultValue = "refuse",
            description =
                    "What to do with a shard that has foreign bytes (not written as Zarr) before or after its inner "
                            + "chunks: refuse it, keep them or drop them (default: refuse).")
    private ForeignBytes foreign = ForeignBytes.REFUSE;

    @Option(names = "--dry-run", description = "Only print what would be done.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public CompactCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return dryRun ? restartAdvice(command) : resumeAdvice(url, command);
    }

    @Override
    public int run() {
        FindingText.Report report = new FindingText.Report(output(), "shards", json);
        Consumer<Shard> printShard = report.itemPrinter(shard -> toJson(shard), shard -> toText(shard));
        Summary summary;
        try (ZarrNode node = Zarr.open(url, options());
                ProgressDisplay progress = ProgressDisplay.of("compact", output())) {
            Compaction compaction = Compaction.of(node)
                    .above(threshold)
                    .withPolicy(ShardWritePolicy.defaults().withOrder(order).withForeignBytes(foreign))
                    .withProgress((array, done, total) -> progress.onProgress(done, total));
            summary = AllOrNothing.<Shard, Summary, RuntimeException>run(
                    node, printShard, shards -> compaction.run(dryRun ? Mode.DRY_RUN : Mode.APPLY, shards));
        }
        report.finish(toJson(summary), toText(summary));
        return summary.refused() > 0 ? 1 : 0;
    }

    private static Json.Obj toJson(Shard shard) {
        Json.Obj json = Json.object()
                .with("node", Json.of(shard.array()))
                .with("key", Json.of(shard.key()))
                .with("outcome", Json.of(FindingText.lowerCaseName(shard.outcome())))
                .with("bytes", Json.of(shard.bytes()))
                .with("unused_bytes", Json.of(shard.unused()))
                .with("after", Json.of(shard.after()));
        return shard.reason().isPresent()
                ? json.with(
                        "reason",
                        Json.of(ApiNameReplacement.replaceIn(shard.reason().get())))
                : json;
    }

    private Json.Obj toJson(Summary summary) {
        return Json.object()
                .with("dry_run", Json.of(dryRun))
                .with("arrays", Json.of(summary.arrays()))
                .with("shards", Json.of(summary.shards()))
                .with("compacted", Json.of(summary.compacted()))
                .with("refused", Json.of(summary.refused()))
                .with("bytes", Json.of(summary.bytes()))
                .with("after", Json.of(summary.after()));
    }

    private String toText(Shard shard) {
        String action =
                switch (shard.outcome()) {
                    case COMPACTED -> dryRun ? "would be compacted" : "compacted";
                    case REMOVED -> dryRun ? "would be removed" : "removed";
                    case REFUSED -> "refused";
                };
        return action + " " + shard.key() + ": " + shard.bytes() + " bytes, " + shard.unused() + " unused"
                + shard.reason()
                        .map(reason -> "; " + ApiNameReplacement.replaceIn(reason))
                        .orElse(", " + shard.after() + " afterwards");
    }

    private String toText(Summary summary) {
        return NodeText.count(summary.shards(), "shard") + ", " + summary.compacted()
                + (dryRun ? " to compact, " : " compacted, ") + summary.refused() + " refused; " + summary.bytes()
                + " bytes, " + summary.after() + " afterwards";
    }
}
