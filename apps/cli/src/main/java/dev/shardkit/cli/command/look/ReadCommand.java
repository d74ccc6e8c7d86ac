package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LabelOptions;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.VariableView;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.elements.DecodeTimesOption;
import dev.shardkit.cli.print.elements.ElementFormat;
import dev.shardkit.cli.print.elements.ElementWriter;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code read}: prints the elements of a region piece by piece, so the region may be larger than the memory. */
@Command(name = "read", description = "Print the elements of an array or of a region of it, in C order.")
public final class ReadCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--region",
            paramLabel = "R",
            description = Region.HELP + " a:b:n takes every n-th element (default: all).")
    private @Nullable String region;

    @Option(
            names = "--format",
            paramLabel = "text|json|raw",
            description = {
                "text: one element a line (default); json: nested lists; "
                        + "raw: little-endian; a u32le size precedes each string or bytes element."
            })
    private ElementFormat format = ElementFormat.TEXT;

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Option(
            names = "--physical",
            description =
                    "Print physical values: scale_factor and add_offset are applied, missing elements are NaN (null "
                            + "in JSON), times and time spans have the form of ISO 8601.")
    private boolean physical;

    @Mixin
    private final DecodeTimesOption times = new DecodeTimesOption();

    @Option(
            names = "-o",
            paramLabel = "FILE",
            description = "Write to FILE; - for standard output (default). On failure FILE keeps its old content.")
    private String file = "-";

    public ReadCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (physical || labels.isUsed()) {
            return readVariable();
        }
        try (ZarrArray array = Zarr.openArray(url, options())) {
            Region selection = Region.parseWithSteps(region, array);
            Optional<DecodeTimesOption.Decoder> decoder = times.decoder(array);
            output().writeFile(file, array, out -> {
                if (selection.hasSteps()) {
                    ElementWriter.print(format, array, selection.view(array), decoder, out);
                } else {
                    ElementWriter.print(format, array, selection.box(), decoder, out);
                }
            });
            return 0;
        }
    }

    /** Prints physical values, or elements that labels of coordinates select. Both need the CF conventions. */
    private int readVariable() throws IOException {
        try (CfDataset dataset = VariableView.openDataset(url, options())) {
            CfVariable variable = VariableView.variable(dataset, url);
            VariableView part = VariableView.of(variable, labels, region);
            Optional<DecodeTimesOption.Decoder> decoder = physical ? Optional.empty() : times.decoder(variable.array());
            output().writeFile(file, variable.array(), out -> {
                if (physical) {
                    ElementWriter.printPhysical(format, variable, part.view(), part.shape(), out);
                } else {
                    ElementWriter.print(format, variable.array(), part.view(), part.storedShape(), decoder, out);
                }
            });
            return 0;
        }
    }
}
