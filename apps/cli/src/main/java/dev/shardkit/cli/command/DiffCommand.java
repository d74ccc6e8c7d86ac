package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.print.Findings;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Progress;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.compare.Comparison.Difference;
import dev.shardkit.maintenance.compare.Comparison.Summary;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code diff}: compares two arrays or trees. */
@Command(
        name = "diff",
        description = {
            "Compare two arrays or two trees: metadata and elements.",
            "Prints the members of metadata that differ and the first elements of each array that differ. Elements are"
                    + " equal if their bits are. Elements of arrays with different shapes or data types are not compared,"
                    + " nor is consolidated metadata.",
            "Exit status: 0 equal, 1 different, 2 wrong usage, 3 the command did not finish."
        },
        footer = {"", "Example: shardkit diff image.zarr copy.zarr --ignore-layout"})
public final class DiffCommand extends CheckingCommand {
    private static final int LONGEST = 120;
    /** The number of characters that are shown before the first difference of two long texts. */
    private static final int BEFORE = 40;

    @Parameters(index = "0", paramLabel = "A", description = "The location of an array or group.")
    private String left = "";

    @Parameters(index = "1", paramLabel = "B", description = "The location of the other one.")
    private String right = "";

    @Option(names = "--ignore-layout", description = "Do not compare chunk grids, chunk keys and codecs.")
    private boolean ignoreLayout;

    @Option(
            names = "--first",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many different elements of each array to print (default: 10). All are counted.")
    private int first;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public DiffCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return beginAgain(command);
    }

    @Override
    public int run() {
        Findings.Report report = new Findings.Report(output(), "differences", json);
        Consumer<Difference> tell = report.items(difference -> json(difference), difference -> text(difference));
        Summary summary;
        try (ZarrNode a = Zarr.open(left, options());
                ZarrNode b = Zarr.open(right, plainOptions());
                Progress progress = Progress.of("diff", output())) {
            Comparison comparison = Comparison.of(a, b)
                    .reporting(first)
                    .withProgress((path, done, total) -> progress.onProgress(done, total));
            summary = (ignoreLayout ? comparison.ignoringLayout() : comparison).run(tell);
        }
        report.end(json(summary), text(summary));
        return summary.isEqual() ? 0 : 1;
    }

    private static Json.Obj json(Difference d) {
        Json.Obj json = Json.object().with("node", Json.of(d.node())).with("kind", Json.of(Findings.word(d.kind())));
        json = d.place().isEmpty() ? json : json.with("place", Json.of(d.place()));
        json = d.left().isPresent() ? json.with("a", d.left().get()) : json;
        return d.right().isPresent() ? json.with("b", d.right().get()) : json;
    }

    private static Json.Obj json(Summary s) {
        return Json.object()
                .with("equal", Json.of(s.isEqual()))
                .with("arrays", Json.of(s.arrays()))
                .with("arrays_compared", Json.of(s.compared()))
                .with("nodes", Json.of(s.nodes()))
                .with("metadata", Json.of(s.members()))
                .with("elements", Json.of(s.elements()));
    }

    private static String text(Difference d) {
        String place =
                switch (d.kind()) {
                    case NODE -> "";
                    case METADATA -> " " + d.place();
                    case ELEMENT -> " [" + d.place() + "]";
                };
        String left = d.left().map(Json::toString).orElse("nothing");
        String right = d.right().map(Json::toString).orElse("nothing");
        int from = firstShown(left, right);
        return "/" + d.node() + place + ": " + shown(left, from) + " | " + shown(right, from);
    }

    /** Returns where to begin so that the difference of two texts is seen. */
    private static int firstShown(String left, String right) {
        int difference = Arrays.mismatch(left.toCharArray(), right.toCharArray());
        return Math.max(left.length(), right.length()) <= LONGEST ? 0 : Math.max(0, difference - BEFORE);
    }

    private static String shown(String text, int from) {
        int begin = Math.min(from, text.length());
        int end = Math.min(text.length(), begin + LONGEST);
        return (begin > 0 ? "..." : "") + text.substring(begin, end) + (end < text.length() ? "..." : "");
    }

    private static String text(Summary s) {
        String compared = NodeFacts.count(s.arrays(), "array") + ", " + s.compared() + " compared";
        return s.isEqual()
                ? "equal: " + compared
                : "different: " + compared + "; " + NodeFacts.count(s.nodes(), "node") + ", "
                        + NodeFacts.count(s.members(), "member") + " of metadata and "
                        + NodeFacts.count(s.elements(), "element") + " differ";
    }
}
