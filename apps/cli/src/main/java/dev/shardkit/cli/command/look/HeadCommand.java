package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LabelOptions;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.VariableView;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.cli.print.elements.DecodeTimesOption;
import dev.shardkit.cli.print.elements.ElementFormat;
import dev.shardkit.cli.print.elements.ElementWriter;
import dev.shardkit.spi.array.Box;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code head}: prints the first elements of an array as a table. */
@Command(
        name = "head",
        description = {
            "Print the first elements of an array as a table.",
            "If the array has more than two dimensions, the table shows the last two, at index 0 of the others."
        },
        footer = {"", "Example: shardkit head image.zarr -n 4"})
public final class HeadCommand extends ShardkitCommand {
    /** The number of characters of an element that are shown. */
    private static final int MAX_SHOWN = 40;

    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "8",
            description = "The number of elements in each dimension that is shown (default: 8).")
    private int maxLength;

    @Option(names = "--region", paramLabel = "R", description = "The first elements of this region, as for read.")
    private @Nullable String region;

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Option(
            names = "--physical",
            description =
                    "Print physical values, as read does: scale_factor and add_offset are applied, times have the "
                            + "form of ISO 8601.")
    private boolean physical;

    @Mixin
    private final DecodeTimesOption times = new DecodeTimesOption();

    @Option(names = "--json", description = "Print nested JSON lists.")
    private boolean json;

    public HeadCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (maxLength < 1) {
            throw new UsageException("-n: expected at least 1, found " + maxLength);
        }
        if (physical || labels.isUsed()) {
            return printVariable();
        }
        try (ZarrArray array = Zarr.openArray(url, options())) {
            Region selection = Region.parseWithSteps(region, array);
            Box corner = firstElements(selection.shape());
            ZarrView view = selection.view(array).region(corner);
            if (json) {
                ElementWriter.print(ElementFormat.JSON, array, view, times.decoder(array), output().data());
                return 0;
            }
            Optional<DecodeTimesOption.Decoder> decoder = times.decoder(array);
            output().printLine(NodeText.toLine(array));
            output().printLine("region " + regionText(selection, corner));
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            ElementWriter.print(ElementFormat.TEXT, array, view, decoder, text);
            printTable(text, corner.shape());
            return 0;
        }
    }

    /** Prints physical values, or elements that labels of coordinates select. Both need the CF conventions. */
    private int printVariable() throws IOException {
        try (CfDataset dataset = VariableView.openDataset(url, options())) {
            CfVariable variable = VariableView.variable(dataset, url);
            VariableView part = VariableView.of(variable, labels, region);
            VariableView first = part.first(maxLength);
            if (json) {
                print(ElementFormat.JSON, first, output().data());
                return 0;
            }
            output().printLine(NodeText.toLine(variable.array()));
            output().printLine("first " + Arrays.toString(first.shape()) + " of " + Arrays.toString(part.shape()));
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            print(ElementFormat.TEXT, first, text);
            printTable(text, physical ? first.shape() : first.storedShape());
            return 0;
        }
    }

    private void print(ElementFormat format, VariableView part, OutputStream out) throws IOException {
        CfVariable variable = part.variable();
        if (physical) {
            ElementWriter.printPhysical(format, variable, part.view(), part.shape(), out);
        } else {
            ElementWriter.print(
                    format, variable.array(), part.view(), part.storedShape(), times.decoder(variable.array()), out);
        }
    }

    /** Returns the shown part: the first elements of the last two dimensions, at index 0 of the others. */
    private Box firstElements(long[] shape) {
        long[] lengths = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            lengths[d] = Math.min(shape[d], d < shape.length - 2 ? 1 : maxLength);
        }
        return Box.of(lengths);
    }

    /** Returns the text of the shown region, in indices of the array. */
    private static String regionText(Region selection, Box corner) {
        long[] steps = selection.steps();
        return IntStream.range(0, steps.length)
                .mapToObj(d -> {
                    long start = selection.bounds().origin(d);
                    long length = corner.shape(d) == 0 ? 0 : (corner.shape(d) - 1) * steps[d] + 1;
                    return start + ":" + (start + length) + (steps[d] > 1 ? ":" + steps[d] : "");
                })
                .collect(Collectors.joining(","));
    }

    private static String truncate(String element) {
        return element.length() <= MAX_SHOWN ? element : element.substring(0, MAX_SHOWN) + "...";
    }

    /**
     * Prints elements as rows of right-aligned columns.
     *
     * @param text the elements, one a line, in C order
     * @param shape their shape; the last dimension becomes the columns, all others the rows
     */
    private void printTable(ByteArrayOutputStream text, long[] shape) {
        List<String> elements = text.toString(StandardCharsets.UTF_8)
                .lines()
                .map(HeadCommand::truncate)
                .toList();
        int columns = shape.length == 0 ? 1 : Math.toIntExact(Math.max(1, shape[shape.length - 1]));
        int[] widths = IntStream.range(0, columns)
                .map(column -> IntStream.range(0, elements.size())
                        .filter(i -> i % columns == column)
                        .map(i -> elements.get(i).length())
                        .max()
                        .orElse(1))
                .toArray();
        for (int row = 0; row < elements.size() / columns; row++) {
            int first = row * columns;
            output().printLine(IntStream.range(0, columns)
                    .mapToObj(column -> String.format("%" + widths[column] + "s", elements.get(first + column)))
                    .collect(Collectors.joining(" ")));
        }
    }
}
