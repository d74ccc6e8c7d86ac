package dev.shardkit.cli;

import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code append}: extends an array by the slices of a raw file. */
@Command(
        name = "append",
        description = {
            "Extend an array in one dimension by the slices of a file.",
            "The array grows after the slices are stored, so readers never see a missing slice. Several programs may "
                    + "append at once. Each program appends in batches of at most 8 MiB, whose slices stay together."
        },
        footer = {"", "Example: shardkit append frames.zarr --from new.raw"})
final class AppendCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The folder of the array.")
    private String url = "";

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            description = "Complete slices in C order, in the form of read --format raw; - for standard input.")
    private String from = "";

    @Option(
            names = "--axis",
            paramLabel = "N",
            defaultValue = "0",
            description = "The dimension that grows, counted from 0 (default: 0).")
    private int axis;

    @Mixin
    private final WriteChoices choices = new WriteChoices();

    AppendCommand(Output output) {
        super(output);
    }

    @Override
    int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, choices.in(options()))) {
            if (axis < 0 || axis >= array.shape().length) {
                throw new WrongUse(
                        "--axis: expected a dimension from 0 to " + (array.shape().length - 1) + ", found " + axis);
            }
            if (!from.equals("-")) {
                append(array, Path.of(from));
                return 0;
            }
            Path spooled = TemporaryPaths.spooled("shardkit-append-", ".raw", output());
            try {
                append(array, spooled);
                return 0;
            } finally {
                TemporaryPaths.remove(spooled);
            }
        }
    }

    private void append(ZarrArray array, Path path) throws IOException {
        SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
        try (RawSlices slices = RawSlices.open(array, axis, path);
                SliceWriter writer = array.slices(axis, growing)) {
            slices.each(writer::write);
        }
    }
}
