package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cli.base.CheckingCommand;
import dev.shardkit.cli.print.FindingText;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
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
    /** The maximum number of characters that are printed of each value. */
    private static final int MAX_SHOWN = 120;
    /** The number of characters printed before the first difference of two long values. */
    private static final int CONTEXT = 40;

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
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() {
        FindingText.Report report = new FindingText.Report(output(), "differences", json);
        Consumer<Difference> printDifference =
                report.itemPrinter(difference -> toJson(difference), difference -> toText(difference));
        Summary summary;
        // Of two locations, --node-format applies to the first only: options() includes it, plainOptions() does not.
        try (ZarrNode leftNode = Zarr.open(left, options());
                ZarrNode rightNode = Zarr.open(right, plainOptions());
                ProgressDisplay progress = ProgressDisplay.of("diff", output())) {
            Comparison comparison = Comparison.of(leftNode, rightNode)
                    .reporting(first)
                    .withProgress((path, done, total) -> progress.onProgress(done, total));
            summary = (ignoreLayout ? comparison.ignoringLayout() : comparison).run(printDifference);
        }
        report.finish(toJson(summary), toText(summary));
        return summary.isEqual() ? 0 : 1;
    }

    private static Json.Obj toJson(Difference difference) {
        Json.Obj json = Json.object()
                .with("node", Json.of(difference.node()))
                .with("kind", Json.of(FindingText.lowerCaseName(difference.kind())));
        json = difference.position().isEmpty() ? json : json.with("place", Json.of(difference.position()));
        json = difference.left().isPresent() ? json.with("a", difference.left().get()) : json;
        return difference.right().isPresent()
                ? json.with("b", difference.right().get())
                : json;
    }

    private static Json.Obj toJson(Summary summary) {
        return Json.object()
                .with("equal", Json.of(summary.isEqual()))
                .with("arrays", Json.of(summary.arrays()))
                .with("arrays_compared", Json.of(summary.compared()))
                .with("nodes", Json.of(summary.nodes()))
                .with("metadata", Json.of(summary.members()))
                .with("elements", Json.of(summary.elements()));
    }

    private static String toText(Difference difference) {
        String place =
                switch (difference.kind()) {
                    case NODE -> "";
                    case METADATA -> " " + difference.position();
                    case ELEMENT -> " [" + difference.position() + "]";
                };
        String left = difference.left().map(Json::toString).orElse("nothing");
        String right = difference.right().map(Json::toString).orElse("nothing");
        int start = excerptStart(left, right);
        return "/" + difference.node() + place + ": " + excerpt(left, start) + " | " + excerpt(right, start);
    }

    /** Returns the index at which the excerpts of two values start, so that they show the first difference. */
    private static int excerptStart(String left, String right) {
        int firstDifference = Arrays.mismatch(left.toCharArray(), right.toCharArray());
        return Math.max(left.length(), right.length()) <= MAX_SHOWN ? 0 : Math.max(0, firstDifference - CONTEXT);
    }

    /** Returns at most {@link #MAX_SHOWN} characters of a text. Dots stand for the characters before and after them. */
    private static String excerpt(String text, int start) {
        int excerptStart = Math.min(start, text.length());
        int excerptEnd = Math.min(text.length(), excerptStart + MAX_SHOWN);
        return (excerptStart > 0 ? "..." : "")
                + text.substring(excerptStart, excerptEnd)
                + (excerptEnd < text.length() ? "..." : "");
    }

    private static String toText(Summary summary) {
        String counts = NodeText.count(summary.arrays(), "array") + ", " + summary.compared() + " compared";
        return summary.isEqual()
                ? "equal: " + counts
                : "different: " + counts + "; " + NodeText.count(summary.nodes(), "node") + ", "
                        + NodeText.count(summary.members(), "member") + " of metadata and "
                        + NodeText.count(summary.elements(), "element") + " differ";
    }
}
