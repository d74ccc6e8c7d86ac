package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.print.Findings;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Progress;
import dev.shardkit.cli.print.Switches;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.base.AllOrNothing;
import dev.shardkit.maintenance.check.Compaction;
import dev.shardkit.maintenance.check.Compaction.Shard;
import dev.shardkit.maintenance.check.Compaction.Summary;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.codec.WritePolicy.ForeignBytes;
import dev.shardkit.spi.codec.WritePolicy.Order;
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
    public Optional<String> afterSignal(String command) {
        return dryRun ? beginAgain(command) : resume(url, command);
    }

    @Override
    public int run() {
        Findings.Report report = new Findings.Report(output(), "shards", json);
        Consumer<Shard> tell = report.items(shard -> json(shard), shard -> text(shard));
        Summary summary;
        try (ZarrNode node = Zarr.open(url, options());
                Progress progress = Progress.of("compact", output())) {
            Compaction compaction = Compaction.of(node)
                    .above(threshold)
                    .withPolicy(WritePolicy.defaults().withOrder(order).withForeignBytes(foreign))
                    .withProgress((array, done, total) -> progress.onProgress(done, total));
            summary = AllOrNothing.<Shard, Summary, RuntimeException>run(
                    node, tell, shards -> compaction.run(dryRun ? Mode.DRY_RUN : Mode.APPLY, shards));
        }
        report.end(json(summary), text(summary));
        return summary.refused() > 0 ? 1 : 0;
    }

    private static Json.Obj json(Shard shard) {
        Json.Obj json = Json.object()
                .with("node", Json.of(shard.array()))
                .with("key", Json.of(shard.key()))
                .with("outcome", Json.of(Findings.word(shard.outcome())))
                .with("bytes", Json.of(shard.bytes()))
                .with("unused_bytes", Json.of(shard.unused()))
                .with("after", Json.of(shard.after()));
        return shard.reason().isPresent()
                ? json.with("reason", Json.of(Switches.in(shard.reason().get())))
                : json;
    }

    private Json.Obj json(Summary s) {
        return Json.object()
                .with("dry_run", Json.of(dryRun))
                .with("arrays", Json.of(s.arrays()))
                .with("shards", Json.of(s.shards()))
                .with("compacted", Json.of(s.compacted()))
                .with("refused", Json.of(s.refused()))
                .with("bytes", Json.of(s.bytes()))
                .with("after", Json.of(s.after()));
    }

    private String text(Shard shard) {
        String what =
                switch (shard.outcome()) {
                    case COMPACTED -> dryRun ? "would be compacted" : "compacted";
                    case REMOVED -> dryRun ? "would be removed" : "removed";
                    case REFUSED -> "refused";
                };
        return what + " " + shard.key() + ": " + shard.bytes() + " bytes, " + shard.unused() + " unused"
                + shard.reason().map(r -> "; " + Switches.in(r)).orElse(", " + shard.after() + " afterwards");
    }

    private String text(Summary s) {
        return NodeFacts.count(s.shards(), "shard") + ", " + s.compacted() + (dryRun ? " to compact, " : " compacted, ")
                + s.refused() + " refused; " + s.bytes() + " bytes, " + s.after() + " afterwards";
    }
}
