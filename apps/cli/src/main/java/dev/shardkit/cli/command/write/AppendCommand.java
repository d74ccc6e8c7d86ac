package dev.shardkit.cli.command.write;

import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.base.InputFile;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.option.AxisOption;
import dev.shardkit.cli.option.WriteOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.publish.AllOrNothing;
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
    private String input = "";

    @Option(
            names = "--axis",
            paramLabel = "DIM",
            defaultValue = "0",
            description = "The dimension that grows: its number, counted from 0, or its name (default: 0).")
    private String dimension = "0";

    @Mixin
    private final WriteOptions writeOptions = new WriteOptions();

    /** The number of slices before the append, as text. */
    private volatile String lengthBefore = "";

    private volatile int axis;
    private volatile @Nullable SliceWriter writer;

    public AppendCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return Optional.of(
                mayHaveChanged() && !isInArchive(url)
                        ? describeStored("the signal")
                        : "nothing was changed; to begin again, " + repeatAdvice(input, command));
    }

    @Override
    public Optional<String> adviceAfterFailure(String command) {
        return mayHaveChanged() && !isInArchive(url) ? Optional.of(describeStored("the failure")) : Optional.empty();
    }

    /**
     * Returns a text that says how many slices of the input are stored. The array may also hold slices of other
     * programs.
     */
    private String describeStored(String event) {
        SliceWriter sliceWriter = writer;
        long written = sliceWriter == null ? 0 : sliceWriter.committedCount();
        String text = written == 0
                ? "no slice of the input was stored before " + event + " (the array had " + lengthBefore + " before)"
                : "stored before " + event + ": the first "
                        + (written == 1 ? "slice" : NodeText.count(written, "slice"))
                        + " of the input; append only the others (the array had " + lengthBefore + " before)";
        if (sliceWriter == null || sliceWriter.array().shape()[axis] <= sliceWriter.committed()) {
            return text;
        }
        long[] shape = sliceWriter.array().shape();
        shape[axis] = sliceWriter.committed();
        return text + ". The array is longer than its slices that are known to be stored: if no other program appends, "
                + "cut the rest off first by shardkit resize " + ShellWords.quoted(url) + " --shape "
                + LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    @Override
    public int run() throws IOException {
        try (ZarrArray array = Zarr.openArray(url, writeOptions.applyTo(options()))) {
            axis = AxisOption.dimension(array, dimension);
            RawSliceFormat format = RawSliceFormat.of(array, axis);
            // Slices follow one another, as a stream needs, only if all dimensions before the axis have length 1.
            Optional<InputStream> stream =
                    format.outerCount() == 1 ? InputFile.openStream(input, output()) : Optional.empty();
            if (stream.isPresent()) {
                try (InputStream in = stream.get()) {
                    String name = InputFile.isStandardInput(input) ? "standard input" : input;
                    append(array, new SliceStream(format, in, name)::appendTo);
                }
            } else {
                try (InputFile inputFile = InputFile.open(input, ".raw", output());
                        RawSlices source = RawSlices.open(format, inputFile)) {
                    append(array, target -> source.forEachBatch(target::write));
                }
            }
            return 0;
        }
    }

    /** Passes the slices of the input to a writer. */
    private interface SliceSource {
        void writeTo(SliceWriter sliceWriter) throws IOException;
    }

    private void append(ZarrArray array, SliceSource source) throws IOException {
        SliceOptions sliceOptions = SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW);
        lengthBefore = NodeText.count(array.shape()[axis], "slice");
        markChanging();
        AllOrNothing.run(array, () -> {
            try (SliceWriter opened = array.slices(axis, sliceOptions)) {
                writer = opened;
                source.writeTo(opened);
            }
            return array;
        });
    }
}
