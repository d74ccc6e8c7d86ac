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
import java.io.InputStream;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
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
                    + "append at once. Each program appends in batches of at most 8 MiB, whose slices stay together. If standard "
                    + "input pauses for 0.2 s or fills no batch for a second, the slices that have arrived are appended."
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
                    "Complete slices in C order, in the form of read --format raw; - for standard input. A pipe works too."
                            + " Slices of dimension 0 from standard input or a pipe are appended while they arrive.")
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

    private volatile int axis;
    private volatile @Nullable SliceWriter writer;

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

    /** Says how many slices of the input are stored. The array may have others, of other programs. */
    private String stored(String end) {
        SliceWriter stream = writer;
        long written = stream == null ? 0 : stream.written();
        String text = written == 0
                ? "no slice of the input was stored before " + end + " (the array had " + length + " before)"
                : "stored before " + end + ": the first " + (written == 1 ? "slice" : NodeFacts.count(written, "slice"))
                        + " of the input; append only the others (the array had " + length + " before)";
        if (stream == null || stream.array().shape()[axis] <= stream.committed()) {
            return text;
        }
        long[] shape = stream.array().shape();
        shape[axis] = stream.committed();
        return text + ". The array is longer than its slices that are known to be stored: if no other program appends, "
                + "cut the rest off first by shardkit resize " + ShellWords.quoted(url) + " --shape "
                + LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    @Override
    public int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, choices.in(options()))) {
            axis = NamedAxis.of(array, dimension);
            RawSliceFormat form = RawSliceFormat.of(array, axis);
            Optional<InputStream> stream = form.outer() == 1 ? InputFile.stream(from, output()) : Optional.empty();
            if (stream.isPresent()) {
                try (InputStream in = stream.get()) {
                    String name = InputFile.isStandardInput(from) ? "standard input" : from;
                    append(array, new SliceStream(form, in, name)::appendTo);
                }
            } else {
                try (InputFile input = InputFile.of(from, ".raw", output());
                        RawSlices slices = RawSlices.open(form, input)) {
                    append(array, all -> slices.each(all::write));
                }
            }
            return 0;
        }
    }

    /** Passes the slices of the input to the stream. */
    private interface Slices {
        void to(SliceWriter stream) throws IOException;
    }

    private void append(ZarrArray array, Slices slices) throws IOException {
        SliceOptions growing = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
        length = NodeFacts.count(array.shape()[axis], "slice");
        begin();
        AllOrNothing.run(array, () -> {
            try (SliceWriter stream = array.slices(axis, growing)) {
                writer = stream;
                slices.to(stream);
            }
            return array;
        });
    }
}
