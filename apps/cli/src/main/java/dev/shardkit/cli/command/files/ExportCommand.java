package dev.shardkit.cli.command.files;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.LabelOptions;
import dev.shardkit.cli.option.Region;
import dev.shardkit.cli.option.VariableView;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.files.Export;
import dev.shardkit.files.FileFormat;
import dev.shardkit.files.TableCsv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code export}: writes an array, or the arrays of a group, as a file of another format. */
@Command(
        name = "export",
        description = {
            "Write an array or a region of it as an npy, CSV, PNG or TIFF file, or the arrays of a group as npz.",
            "Reads piece by piece, in little memory. Values are exact: PNG takes uint8 and uint16, TIFF all numbers.",
            "--physical writes a CSV table: a line for each element, with the labels of its coordinates and its physical value."
        },
        footer = {
            "",
            "Example: shardkit export image.zarr --region 0:64,: -o rows.npy",
            "         shardkit export data.zarr/t2m --physical --sel time=2020-03,lat=47..55 -o t2m.csv"
        })
public final class ExportCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array or group.")
    private String url = "";

    @Option(names = "--region", paramLabel = "R", description = "Only this region, as for read (default: all).")
    private @Nullable String region;

    @Option(
            names = "-o",
            required = true,
            paramLabel = "FILE",
            description = "The file; - for standard output. On failure FILE keeps its old content.")
    private String file = "";

    @Option(
            names = "--format",
            paramLabel = "npy|npz|csv|png|tiff",
            description = "The format (default: the end of FILE's name).")
    private @Nullable FileFormat format;

    @Option(
            names = "--tiles",
            paramLabel = "PIXELS",
            description = "The side of the tiles of a TIFF file, a multiple of 16; 0 for strips (default: 256 for large"
                    + " images, otherwise strips).")
    private @Nullable Integer tiles;

    @Option(
            names = "--physical",
            description = "CSV only: columns of labels, then the physical value, as to_dataframe().to_csv() of xarray. "
                    + "Times have the form of ISO 8601, missing elements are empty.")
    private boolean physical;

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Option(names = "--units", description = "With --physical: units follow the names of columns, as in \"t2m [K]\".")
    private boolean units;

    public ExportCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return restartAdvice(command);
    }

    @Override
    public int run() throws IOException {
        FileFormat fileFormat = format != null
                ? format
                : FileFormat.forFileName(file)
                        .orElseThrow(() -> new UsageException("\"" + file
                                + "\" does not end in .npy, .npz, .csv, .png, .tif " + "or .tiff: give --format"));
        if (physical) {
            return exportTable(fileFormat);
        } else if (units || labels.isUsed()) {
            throw new UsageException("--sel, --method, --cyclic and --units are for tables: give --physical, too");
        }
        try (ZarrNode node = Zarr.open(url, options());
                ProgressDisplay progress = ProgressDisplay.of("export", output())) {
            List<String> leftOut = new ArrayList<>();
            Export export = Export.of(node)
                    .withLeftOut((path, why) -> leftOut.add(path + ": " + why))
                    .withProgress((path, done, total) -> progress.onProgress(done, total));
            if (region != null && !(node instanceof ZarrArray)) {
                throw new UsageException("--region applies to an array, and " + url + " is a group");
            }
            Export withTiles = tiles == null ? export : export.withTiles(tiles);
            Export selected = region == null ? withTiles : withRegion(withTiles, (ZarrArray) node, region);
            output().writeFile(file, node, stream -> selected.to(stream, fileFormat));
            leftOut.forEach(array -> output().printMessage("left out: array " + array));
            return leftOut.isEmpty() ? 0 : 1;
        }
    }

    private int exportTable(FileFormat fileFormat) throws IOException {
        if (fileFormat != FileFormat.CSV || region != null || tiles != null) {
            throw new UsageException(
                    "--physical writes CSV, of elements that --sel selects; --region and --tiles do not apply");
        }
        try (CfDataset dataset = VariableView.openDataset(url, options())) {
            CfVariable variable = VariableView.variable(dataset, url);
            TableCsv table = TableCsv.of(CfTable.of(labels.select(variable)));
            output().writeFile(file, variable.array(), (units ? table.withUnits() : table)::writeTo);
            return 0;
        }
    }

    private static Export withRegion(Export export, ZarrArray array, String region) {
        Region selection = Region.parseWithSteps(region, array);
        return export.within(selection.bounds()).withSteps(selection.steps());
    }
}
