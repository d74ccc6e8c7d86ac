package dev.shardkit.cli.command.look;

import dev.shardkit.ChunkBitmap;
import dev.shardkit.ChunkPresence;
import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.PresentChunk;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code chunks}: lists stored inner chunks, or chunks of arrays without shards. Reads shard indexes only, and prints
 * each chunk as soon as it is found.
 */
@Command(
        name = "chunks",
        description = {
            "List the stored inner chunks of an array (without sharding: its chunks).",
            "Prints one line for each chunk: cell, region, key, offset and size, separated by tabs.",
            "Exit status: 0 done; 1 an error in the data or the store, or a wrong list; 2 wrong usage; "
                    + "3 the list could not be verified."
        })
public final class ChunksCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "Only chunks that overlap this region, such as 0:9,3, without steps (default: all).")
    private @Nullable String region;

    @Option(
            names = "--level",
            paramLabel = "N",
            description = "0 for stored objects, 1 for their inner chunks, and so on (default: the innermost).")
    private @Nullable Integer level;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    private OutputChoice choice = new OutputChoice();

    /** The alternatives to a list of chunks. At most one is set. */
    static final class OutputChoice {
        @Option(names = "--count", description = "Print only the number of chunks.")
        private boolean count;

        @Option(
                names = "--bitmap",
                description = "Draw the grid: # for stored chunks and . for others, one row a line.")
        private boolean bitmap;

        @Option(
                names = "--verify-nonempty",
                description = "Compare the attribute nonempty_chunks with the stored chunks and print the differences.")
        private boolean verify;

        @Option(names = "--rebuild-nonempty", description = "Recompute the attribute nonempty_chunks.")
        private boolean rebuild;
    }

    public ChunksCommand(Output output) {
        super(output);
    }

    @Override
    public int faultStatus() {
        return choice.verify ? 3 : 1;
    }

    @Override
    public int run() {
        if ((choice.verify || choice.rebuild) && (region != null || level != null)) {
            throw new UsageException(
                    "the attribute covers all innermost chunks: --region and --level cannot be used with it");
        }
        try (ZarrArray array = Zarr.openArray(url, options())) {
            if (choice.verify) {
                return verifyNonempty(array.nonemptyChunks());
            } else if (choice.rebuild) {
                rebuildNonempty(array.nonemptyChunks());
            } else {
                Box selectedRegion = Region.parse(region, array);
                ChunkPresence presence = array.presence(selectedRegion);
                print(level != null ? presence.atLevel(level) : presence);
            }
            return 0;
        }
    }

    private void print(ChunkPresence presence) {
        if (choice.count) {
            long count = presence.count();
            if (json) {
                output().printJson(summary(presence, count));
            } else {
                output().printLine(String.valueOf(count));
            }
        } else if (choice.bitmap) {
            printBitmap(presence);
        } else if (json) {
            FindingText.Document document = new FindingText.Document(output(), "chunks");
            long count = 0;
            for (PresentChunk chunk : presence) {
                document.printItem(toJson(chunk));
                count++;
            }
            document.finish(summary(presence, count));
        } else {
            presence.forEach(chunk -> output().printLine(toText(chunk)));
        }
    }

    private static Json.Obj summary(ChunkPresence presence, long count) {
        return Json.object()
                .with("level", Json.of(presence.level()))
                .with("first_cell", Json.of(presence.cells().origin()))
                .with("cells", Json.of(presence.cells().shape()))
                .with("existing", Json.of(count));
    }

    private static Json.Obj toJson(PresentChunk chunk) {
        Json.Obj members = Json.object()
                .with("cell", Json.of(chunk.cell()))
                .with("origin", Json.of(chunk.box().origin()))
                .with("shape", Json.of(chunk.box().shape()))
                .with("key", Json.of(chunk.key()));
        return (chunk.extent().isPresent()
                        ? members.with("offset", Json.of(chunk.extent().get().offset()))
                        : members)
                .with("size", Json.of(chunk.size()));
    }

    private static String toText(PresentChunk chunk) {
        StringBuilder box = new StringBuilder();
        for (int d = 0; d < chunk.box().rank(); d++) {
            box.append(d > 0 ? "," : "")
                    .append(chunk.box().origin(d))
                    .append(':')
                    .append(chunk.box().end(d));
        }
        return Arrays.stream(chunk.cell()).mapToObj(String::valueOf).collect(Collectors.joining(",")) + "\t" + box
                + "\t" + chunk.key() + "\t"
                + chunk.extent().map(e -> String.valueOf(e.offset())).orElse("-") + "\t" + chunk.size();
    }

    /** Draws the grid row by row, with an empty line between planes. */
    private void printBitmap(ChunkPresence presence) {
        ChunkBitmap bitmap = presence.bitmap();
        if (json) {
            output().printJson(summary(presence, bitmap.cardinality())
                    .with("bits", Json.of(Base64.getEncoder().encodeToString(bitmap.bytes()))));
            return;
        }
        Box cells = bitmap.cells();
        int lastDimension = cells.rank() - 1;
        long rowLength = lastDimension < 0 ? 1 : cells.shape(lastDimension);
        StringBuilder line = new StringBuilder();
        for (long i = 0; i < bitmap.size(); i++) {
            if (i > 0 && lastDimension > 0 && i % (rowLength * cells.shape(lastDimension - 1)) == 0) {
                output().printLine("");
            }
            line.append(bitmap.get(bitmap.cell(i)) ? '#' : '.');
            if (line.length() == rowLength) {
                output().printLine(line.toString());
                line.setLength(0);
            }
        }
    }

    private int verifyNonempty(NonemptyChunksAttribute nonempty) {
        FindingText.Report report = new FindingText.Report(output(), "findings", json);
        long differences = nonempty.verify(report.itemPrinter(
                finding -> Json.object()
                        .with("kind", Json.of(FindingText.lowerCaseName(finding.kind())))
                        .with("found", Json.of(finding.value())),
                finding -> FindingText.lowerCaseName(finding.kind()).replace('_', ' ') + " " + finding.value()));
        report.finish(
                Json.object().with("differences", Json.of(differences)),
                differences == 0
                        ? "nonempty_chunks matches the stored chunks"
                        : NodeText.count(differences, "difference"));
        return differences == 0 ? 0 : 1;
    }

    private void rebuildNonempty(NonemptyChunksAttribute nonempty) {
        int keys = nonempty.rebuild().size();
        if (json) {
            output().printJson(Json.object().with("keys", Json.of(keys)));
        } else {
            output().printLine(NodeText.count(keys, "key"));
        }
    }
}
