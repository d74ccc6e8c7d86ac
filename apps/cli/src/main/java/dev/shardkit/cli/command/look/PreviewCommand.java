package dev.shardkit.cli.command.look;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrNode;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LabelOptions;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.VariableView;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.pictures.Colours;
import dev.shardkit.pictures.Figure;
import dev.shardkit.pictures.Preview;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code preview}: draws an array or an image as a PNG picture. */
@Command(
        name = "preview",
        description = {
            "Draw an array or an OME-Zarr image as a PNG picture; planes of a volume side by side.",
            "The picture shows the last two dimensions; the contrast covers the middle 99 %% of the values. uint8 with "
                    + "a last dimension of 3 or 4 is RGB or RGBA. For a pyramid, reads the coarsest level that "
                    + "has at least --size elements in height or width.",
            "--physical draws a variable with its coordinates (CF conventions): labels, units and a colour bar of "
                    + "physical values, north up. It draws one plane; --sel chooses it."
        },
        footer = {
            "",
            "Example: shardkit preview image.zarr --region 100,:,: --colours viridis -o plane.png",
            "         shardkit preview data.zarr/t2m --physical --sel time=2020-03-01T06:00,lat=30..60 -o t2m.png"
        })
public final class PreviewCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or image.")
    private String url = "";

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "Only this region, as for read but without steps (default: all).")
    private @Nullable String region;

    @Option(
            names = "--size",
            paramLabel = "N",
            defaultValue = "512",
            description = "The approximate length of the longer side, 16 to 8192 pixels (default: 512).")
    private int size;

    @Option(
            names = "--colours",
            paramLabel = "MAP",
            description = "gray, viridis, magma, diverging or labels (default: gray; labels for label images; viridis "
                    + "with --physical).")
    private @Nullable String colorsOption;

    @Option(
            names = "--physical",
            description = "Draw physical values, with labels and units of coordinates and a colour bar.")
    private boolean physical;

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Option(
            names = "-o",
            required = true,
            paramLabel = "FILE",
            description = "The picture; - for standard output. On failure FILE keeps its old content.")
    private String file = "";

    public PreviewCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (size < 16 || size > 8192) {
            throw new UsageException("--size: expected 16 to 8192, found " + size);
        } else if (colorsOption != null && Colours.named(colorsOption).isEmpty()) {
            throw new UsageException(
                    "--colours: expected gray, viridis, magma, diverging or labels, found \"" + colorsOption + "\"");
        }
        if (file.toLowerCase(Locale.ROOT).matches(".*\\.(jpe?g|gif|tiff?|bmp|webp|svg|pdf)")) {
            throw new UsageException("-o: the picture is PNG, and \"" + file
                    + "\" names another format: choose a name that " + "ends in .png");
        }
        if (physical) {
            return drawVariable();
        } else if (labels.isUsed()) {
            throw new UsageException("--sel, --method and --cyclic select physical values: give --physical, too");
        }
        try (ZarrNode node = Zarr.open(url, options())) {
            Preview preview = Preview.of(node, size);
            preview = region == null ? preview : preview.within(Region.parse(region, preview.array()));
            Preview configured = colorsOption == null ? preview : preview.withColours(colorsOption);
            output().writeFile(file, node, configured::write);
            return 0;
        }
    }

    private int drawVariable() throws IOException {
        if (region != null) {
            throw new UsageException("--physical cannot be used with --region: select elements by --sel");
        } else if (size < 64 || size > 4096) {
            throw new UsageException("--size: expected 64 to 4096 with --physical, found " + size);
        }
        try (CfDataset dataset = VariableView.openDataset(url, options())) {
            CfVariable variable = VariableView.variable(dataset, url);
            Figure figure = Figure.of(labels.select(variable)).withSize(size);
            Figure configured = colorsOption == null ? figure : figure.withColours(colorsOption);
            output().writeFile(file, variable.array(), configured::write);
            return 0;
        }
    }
}
