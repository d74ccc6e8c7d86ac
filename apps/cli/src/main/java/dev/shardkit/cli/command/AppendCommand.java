package dev.shardkit.cli.command;

import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.NamedAxis;
import dev.shardkit.cli.option.WriteChoices;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.base.AllOrNothing;
import dev.shardkit.pictures.ShellWords;
import java.io.IOException;
import java.util.Optional;
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
public final class AppendCommand extends ShardkitCommand {
    @Parameters(paramLabel = "URL", description = "The location of the array.")
    private String url = "";

    @Option(
            names = "--from",
            required = true,
            paramLabel = "FILE",
            description =
                    "Complete slices in C order, in the form of read --format raw; - for standard input. A pipe works too.")
    private String from = "";

    @Option(
            names = "--axis",
            paramLabel = "DIM",
            defaultValue = "0",
            description = "The dimension that grows: its number, counted from 0, or its name (default: 0).")
    private String dimension = "0";

    @Mixin
    private final WriteChoices choices = new WriteChoices();

    /** How many slices the array had. */
    private volatile String length = "";

    public AppendCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> afterSignal(String command) {
        return Optional.of(
                hasBegun() && !isInArchive(url)
                        ? stored("the signal")
                        : "nothing was changed; to begin again, " + again(from, command));
    }

    @Override
    public Optional<String> afterFailure(String command) {
        return hasBegun() && !isInArchive(url) ? Optional.of(stored("the failure")) : Optional.empty();
    }

    private String stored(String end) {
        return "the slices that were stored before " + end + " stay, and the array had " + length
                + " before; shardkit info " + ShellWords.quoted(url) + " shows its length now, append only the others";
    }

    @Override
    public int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, choices.in(options()))) {
            int axis = NamedAxis.of(array, dimension);
            try (InputFile input = InputFile.of(from, ".raw", output())) {
                append(array, axis, input);
            }
            return 0;
        }
    }

    private void append(ZarrArray array, int axis, InputFile input) throws IOException {
        SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
        try (RawSlices slices = RawSlices.open(array, axis, input)) {
            length = NodeFacts.count(array.shape()[axis], "slice");
            begin();
            AllOrNothing.run(array, () -> {
                try (SliceWriter writer = array.slices(axis, growing)) {
                    slices.each(writer::write);
                }
                return array;
            });
        }
    }
}
