package dev.shardkit.spark;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.pyramid.LabelLocation;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spi.array.IntegerFormat;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code pyramid} on Spark: makes an OME-Zarr image of an array. The command itself is the settings of the
 * job, so Spark serializes it and executors receive it too.
 */
@Command(
        name = "pyramid",
        aliases = "downsample",
        mixinStandardHelpOptions = true,
        description = {
            "Make an OME-Zarr image of an array: a copy, and levels of lower resolution.",
            "Metadata is written last. Rerunning the command resumes an interrupted run."
        })
final class SparkPyramidCommand implements Callable<Integer>, PyramidJob.Settings, Serializable {
    private static final long serialVersionUID = 1L;

    @Parameters(paramLabel = "SRC", description = "The location of the array.")
    private String source = "";

    @Parameters(paramLabel = "DST", description = "The location of the image.")
    private String target = "";

    @Option(
            names = "--axes",
            split = ",",
            paramLabel = "NAME",
            description = "The names of the axes, such as t,c,z,y,x (default: the names of the dimensions, or the "
                    + "last of these). x, y and z are space.")
    private String[] axes = {};

    @Option(
            names = "--pixel-size",
            split = ",",
            paramLabel = "SIZE",
            description = "The distance of elements along each axis (default: 1).")
    private double[] pixelSize = {};

    @Option(names = "--unit", paramLabel = "NAME", description = "The unit of the axes of space, such as micrometer.")
    private @Nullable String unit;

    @Option(
            names = "--reducer",
            paramLabel = "NAME",
            description =
                    "How elements become one: mean, mode (for labels), max, min, median or nearest (default: mean, or mode "
                            + "with --labels).")
    private @Nullable String reducer;

    @Option(
            names = "--skip",
            paramLabel = "WHAT",
            description = "The elements that do not count, except for nearest: missing (NaN, _FillValue "
                    + "and missing_value), fill (also the fill value) or none (default: ${DEFAULT-VALUE}).")
    private String skip = "missing";

    @Option(
            names = "--factors",
            split = ",",
            paramLabel = "N",
            description = "How many elements become one along each axis (default: 2 for space, 1 for others).")
    private int[] factors = {};

    @Option(
            names = "--levels",
            paramLabel = "N",
            description = "How many levels the image has (default: until a plane fits into an inner chunk).")
    private int levels; // 0: the default

    @Option(names = "--shard-shape", paramLabel = "SHAPE", description = "The shape of shards (default: about 32 MiB).")
    private @Nullable String shardShape;

    @Option(
            names = "--chunk-shape",
            paramLabel = "SHAPE",
            description = "The shape of inner chunks (default: as in SRC).")
    private @Nullable String chunkShape;

    @Option(names = "--name", paramLabel = "NAME", description = "The name of the image.")
    private @Nullable String name;

    @Option(
            names = "--labels",
            description = "The elements are labels of objects (default if DST is IMAGE/labels/NAME).")
    private boolean labels;

    /** Whether the target is a label image inside the image to which it belongs. */
    private boolean isInImage;

    @Option(names = "--overwrite", description = "Replace an existing array, group or unfinished image.")
    private boolean overwrite;

    @Override
    public Integer call() {
        return Main.inSpark("pyramid", spark -> {
            readImageOfLabels();
            Pyramid.Summary summary = PyramidJob.of(source, target, this)
                    .withMessages(System.err::println)
                    .run(spark);
            System.err.println(
                    NodeText.count(summary.levels(), "level") + ", " + summary.newLevels() + " of them made now");
            return 0;
        });
    }

    /** If the target is a label image inside an image, sets the options that this image decides. Runs on the driver. */
    private void readImageOfLabels() {
        ZarrOptions options = ZarrOptions.defaults();
        Optional<LabelLocation> labelLocation = LabelLocation.find(AbsoluteLocation.of(target), options);
        if (labelLocation.isPresent()) {
            try (ZarrArray from = Zarr.openArray(AbsoluteLocation.of(source), options)) {
                isInImage = labels || from.dataType().number().orElse(null) instanceof IntegerFormat;
                labels = isInImage;
            }
            levels = levels != 0 ? levels : labelLocation.get().levels();
        }
    }

    @Override
    public Pyramid applyTo(Pyramid plain) {
        Pyramid pyramid = chosenReducer().map(plain::withReducer).orElse(plain).withSkipped(skipped(skip));
        if (axes.length > 0 || unit != null) {
            pyramid = pyramid.withAxes(withUnit(
                    axes.length > 0 ? Arrays.stream(axes).map(Axis::named).toList() : pyramid.axes()));
        }
        pyramid = pixelSize.length > 0 ? pyramid.withPixelSize(pixelSize) : pyramid;
        pyramid = factors.length > 0 ? pyramid.withFactors(factors) : pyramid;
        pyramid = levels != 0 ? pyramid.withLevels(levels) : pyramid;
        pyramid = chunkShape != null
                ? pyramid.withChunkShape(SparkCopyCommand.lengths("--chunk-shape", chunkShape))
                : pyramid;
        pyramid = shardShape != null
                ? pyramid.withShardShape(SparkCopyCommand.lengths("--shard-shape", shardShape))
                : pyramid;
        pyramid = name != null ? pyramid.withName(name) : pyramid;
        if (labels) { // a label image lies at IMAGE/labels/NAME
            pyramid = pyramid.withImageLabel(isInImage ? ImageLabel.ofImage("../../") : ImageLabel.of());
        }
        return overwrite ? pyramid.overwriting() : pyramid;
    }

    private List<Axis> withUnit(List<Axis> plain) {
        return plain.stream()
                .map(axis -> unit != null && axis.isSpace()
                        ? new Axis(axis.name(), axis.type(), Optional.of(unit), axis.others())
                        : axis)
                .toList();
    }

    /** Returns the elements that {@code --skip} names. */
    static SkippedElements skipped(String skip) {
        return List.of(SkippedElements.values()).stream()
                .filter(one -> one.text().equals(skip))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("--skip: expected missing, fill or none, found '" + skip + "'"));
    }

    /** Returns the reducer that the options choose; empty to let the pyramid choose. */
    private Optional<Reducer> chosenReducer() {
        if (reducer == null) {
            return labels ? Optional.of(Reducer.MODE) : Optional.empty();
        }
        try {
            return Optional.of(Reducer.valueOf(reducer.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--reducer: expected one of "
                    + List.of(Reducer.values()).stream()
                            .map(r -> r.name().toLowerCase(Locale.ROOT))
                            .toList()
                    + ", found '" + reducer + "'");
        }
    }
}
