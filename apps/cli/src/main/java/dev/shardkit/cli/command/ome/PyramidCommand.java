package dev.shardkit.cli.command.ome;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ParentGroupCreation;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.UnfinishedNodeAdvice;
import dev.shardkit.cli.option.ChildLocation;
import dev.shardkit.cli.option.ChunkShapeOptions;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.OutputLocationCheck;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.pyramid.LabelLocation;
import dev.shardkit.ome.pyramid.Pyramid;
import dev.shardkit.ome.pyramid.Reducer;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pyramid}: makes an OME-Zarr image of an array. */
@Command(
        name = "pyramid",
        description = {
            "Make an OME-Zarr image of an array: a copy, and levels of lower resolution.",
            "Each level has half the length of the one before along the axes of space. Levels of OME-Zarr 0.5 are "
                    + "sharded. The array may be larger than memory.",
            "Without DST, the levels are written beside SRC, whose group becomes the image; SRC is not copied.",
            "If SRC is a level of an OME-Zarr image, such as image.ome.zarr/0, the new image in DST takes over its axes, "
                    + "units, pixel sizes and channels, unless --axes, --pixel-size or --unit say otherwise.",
            "If DST is IMAGE/labels/NAME, the array becomes a label image of that image: it gets as many levels, and its "
                    + "name is added to the list of labels.",
            "Metadata is written last. Rerunning the command resumes an interrupted run and keeps complete levels and "
                    + "shards."
        },
        footer = {
            "",
            "Example: shardkit pyramid volume.zarr image.ome.zarr --axes z,y,x --pixel-size 2,0.5,0.5 --unit micrometer"
        })
public final class PyramidCommand extends ShardkitCommand {
    @Parameters(index = "0", paramLabel = "SRC", description = "The location of the array.")
    private String source = "";

    @Parameters(
            index = "1",
            paramLabel = "DST",
            arity = "0..1",
            description = "The location of the image (default: the group that holds SRC).")
    private @Nullable String target;

    /** The CF attributes that limit the valid elements. Pyramids do not apply them. */
    private static final List<String> VALID_RANGES = List.of("valid_range", "valid_min", "valid_max");

    @Option(
            names = "--ome-version",
            paramLabel = "VERSION",
            description = "The version of OME-Zarr: 0.5 (Zarr v3), or 0.4 (Zarr v2, without shards) (default: 0.5).")
    private @Nullable String version;

    @Option(
            names = "--axes",
            split = ",",
            paramLabel = "NAME",
            description =
                    "The names of the axes, such as t,c,z,y,x (default: the names of the dimensions, or the last of "
                            + "these). x, y and z are space.")
    private List<String> axes = new ArrayList<>();

    @Option(
            names = "--pixel-size",
            split = ",",
            paramLabel = "SIZE",
            description = "The distance of elements along each axis, in the units of --unit (default: 1).")
    private List<Double> pixelSize = new ArrayList<>();

    @Option(
            names = "--unit",
            split = ",",
            paramLabel = "UNIT",
            description =
                    "The unit of the axes of space, such as micrometer, or of single axes: t=second,z=micrometer. Both "
                            + "may be given: micrometer,t=second.")
    private List<String> units = new ArrayList<>();

    @Option(
            names = "--reducer",
            paramLabel = "NAME",
            description =
                    "How elements become one: mean, mode (for labels), max, min, median or nearest (default: mean; mode "
                            + "for labels and for codes, which the attributes flag_values or flag_masks explain).")
    private @Nullable Reducer reducer;

    @Option(
            names = "--skip",
            paramLabel = "WHAT",
            description =
                    "The elements that do not count: missing (NaN, and elements equal to the attribute _FillValue or "
                            + "missing_value), fill (also elements equal to the fill value) or none (default: "
                            + "missing). The reducer nearest skips none.")
    private SkippedElements skip = SkippedElements.MISSING;

    @Option(
            names = "--factors",
            split = ",",
            paramLabel = "N",
            description = "How many elements become one along each axis (default: 2 for space, 1 for others).")
    private List<Integer> factors = new ArrayList<>();

    @Option(
            names = "--levels",
            paramLabel = "N",
            description = "How many levels the image has (default: until a plane fits into an inner chunk).")
    private @Nullable Integer levels;

    @Option(
            names = "--shard-shape",
            paramLabel = "SHAPE",
            description = "The shape of shards (default: about 32 MiB of decoded elements).")
    private @Nullable Lengths shardShape;

    @Option(
            names = "--chunk-shape",
            paramLabel = "SHAPE",
            description = "The shape of inner chunks (default: as in SRC).")
    private @Nullable Lengths chunkShape;

    @Option(
            names = "--codecs",
            paramLabel = "CODECS",
            description = {
                "The codecs, as names with optional levels or as a JSON list (default: zstd:3; in 0.4, blosc with lz4). "
                        + "Example:",
                Options.CODECS_EXAMPLE
            })
    private @Nullable String codecs;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "The name of the image (default: that of its folder, without .ome.zarr, .zarr, .zip or .ozx).")
    private @Nullable String name;

    @Option(
            names = "--labels",
            description =
                    "The elements are labels of objects (default if DST is IMAGE/labels/NAME and SRC has integers).")
    private boolean labels;

    @Option(names = "--overwrite", description = "Replace an existing array, group or unfinished image.")
    private boolean overwrite;

    @Option(names = "--json", description = "Print a JSON document.")
    private boolean json;

    public PyramidCommand(Output output) {
        super(output);
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return resumeAdvice(target != null ? target : source, command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = plainOptions();
        Optional<LabelLocation> labelLocation =
                target == null ? Optional.empty() : LabelLocation.find(target, options());
        if (version == null && labelLocation.isPresent() && labelLocation.get().version() == OmeVersion.V0_4) {
            version = OmeVersion.V0_4.text(); // labels have the version of their image
        }
        try {
            if (target == null) {
                writeBesideSource(options);
            } else {
                OutputLocationCheck.refuseOverlap(source, target);
                writeTo(target, options, labelLocation);
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        if (target != null && omeVersion() != OmeVersion.V0_4) { // an image of 0.4 is no node of Zarr v3
            ParentGroupCreation.createMissing(target, options, output());
        }
        return 0;
    }

    /** Makes the image at its own location: a copy of the array, and the levels. */
    private void writeTo(String imageLocation, ZarrOptions options, Optional<LabelLocation> labelLocation)
            throws IOException {
        try (ZarrArray sourceArray = openSource();
                Store targetStore = Zarr.openStore(imageLocation, options);
                ProgressDisplay progress = ProgressDisplay.of("pyramid", output())) {
            Pyramid base = SourceLevel.find(source, options(), output())
                    .map(level -> inheritFromLevel(level, Pyramid.of(sourceArray), isLabel(sourceArray, labelLocation)))
                    .orElseGet(() -> Pyramid.of(sourceArray));
            Pyramid pyramid = configure(base, sourceArray, imageLocation, labelLocation)
                    .withProgress((level, done, total) -> progress.onProgress(done, total));
            try {
                printSummary(pyramid.to(targetStore, options));
            } catch (ZarrException e) {
                throw UnfinishedNodeAdvice.addAdvice(e, targetStore, imageLocation);
            }
        }
    }

    /** Makes the levels beside the array, whose group becomes the image. */
    private void writeBesideSource(ZarrOptions options) throws IOException {
        ChildLocation child = ChildLocation.split(source);
        try (Store group = Zarr.openStore(child.parent(), options());
                ZarrArray sourceArray = Zarr.openArray(group, child.name(), options);
                ProgressDisplay progress = ProgressDisplay.of("pyramid", output())) {
            if (!(Zarr.find(group, "", options).orElse(null) instanceof ZarrGroup)) {
                throw new UsageException("there is no group at " + child.parent()
                        + " to hold the levels: give DST, or make the " + "group with 'shardkit group'");
            }
            printSummary(configure(Pyramid.of(sourceArray), sourceArray, child.parent(), Optional.empty())
                    .withProgress((level, done, total) -> progress.onProgress(done, total))
                    .addLevels(group, options));
        }
    }

    private void printSummary(Pyramid.Summary summary) {
        if (json) {
            output().printJson(Json.object()
                    .with("levels", Json.of(summary.levels()))
                    .with("made", Json.of(summary.newLevels())));
        } else {
            output().printLine(NodeText.count(summary.levels(), "level")
                    + (summary.newLevels() < summary.levels() ? ", " + summary.newLevels() + " of them made now" : ""));
        }
    }

    private OmeVersion omeVersion() {
        return version == null
                ? OmeVersion.V0_5
                : OmeVersion.of(version)
                        .orElseThrow(() -> new UsageException("expected --ome-version 0.4 or 0.5, found " + version));
    }

    /** Opens the array. If the source is an image, the message of the failure names its finest level. */
    private ZarrArray openSource() {
        ZarrNode node = Zarr.open(source, options());
        if (node instanceof ZarrArray array) {
            return array;
        }
        try (node) {
            throw new UsageException(source + ": expected an array, found a group"
                    + SourceLevel.finestPath((ZarrGroup) node)
                            .map(path -> "; to use the finest level of this image, give " + source.replaceAll("/+$", "")
                                    + (source.endsWith("!") ? "" : "/") + path)
                            .orElse("; shardkit ls names the arrays in it"));
        }
    }

    /** Takes axes, pixel sizes and channels from the image of the source level, unless options set them. */
    private Pyramid inheritFromLevel(SourceLevel sourceLevel, Pyramid base, boolean isLabel) {
        Pyramid pyramid = base;
        List<String> inherited = new ArrayList<>();
        if (axes.isEmpty() && pixelSize.isEmpty()) {
            pyramid = pyramid.withGeometryOf(sourceLevel.level());
            inherited.add("axes, units and pixel sizes");
        } else if (axes.isEmpty()) {
            pyramid = pyramid.withAxes(sourceLevel.level().axes());
            inherited.add("axes and units");
        }
        if (sourceLevel.omero().isPresent() && !isLabel) {
            pyramid = pyramid.withOmero(sourceLevel.omero().get());
            inherited.add("channels (omero)");
        }
        if (!inherited.isEmpty()) {
            output().printMessage("note: " + source + " is level "
                    + sourceLevel.level().index() + " of the image "
                    + sourceLevel.image() + "; taken over from it: " + String.join(", ", inherited)
                    + ". --axes, --pixel-size and --unit set other ones");
        }
        return pyramid;
    }

    private boolean isLabel(ZarrArray sourceArray, Optional<LabelLocation> labelLocation) {
        return labels
                || labelLocation.isPresent() && sourceArray.dataType().number().orElse(null) instanceof IntegerFormat;
    }

    /** Applies the options of the command, and the requirements of a label image, to a pyramid. */
    private Pyramid configure(
            Pyramid base, ZarrArray sourceArray, String imageLocation, Optional<LabelLocation> labelLocation) {
        Pyramid pyramid = withLayout(base.withVersion(omeVersion()), sourceArray, imageLocation);
        boolean isLabel = isLabel(sourceArray, labelLocation);
        Reducer effectiveReducer = reducer != null ? reducer : defaultReducer(sourceArray, isLabel);
        noteValidRange(sourceArray, effectiveReducer);
        pyramid = pyramid.withReducer(effectiveReducer).withSkipped(skip);
        if (!axes.isEmpty() || !units.isEmpty()) {
            pyramid = pyramid.withAxes(Axis.withUnits(axes.isEmpty() ? pyramid.axes() : axesOfOption(), units));
        }
        if (!pixelSize.isEmpty()) {
            pyramid = pyramid.withPixelSize(
                    pixelSize.stream().mapToDouble(Double::doubleValue).toArray());
        }
        if (!factors.isEmpty()) {
            pyramid = pyramid.withFactors(
                    factors.stream().mapToInt(Integer::intValue).toArray());
        }
        if (levels != null) {
            pyramid = pyramid.withLevels(levels);
        } else if (labelLocation.isPresent()) {
            pyramid = pyramid.withLevels(labelLocation.get().levels());
        }
        if (isLabel) { // a label image lies at IMAGE/labels/NAME, so ../../ is its image
            pyramid =
                    pyramid.withImageLabel(labelLocation.isPresent() ? ImageLabel.ofImage("../../") : ImageLabel.of());
        }
        return overwrite ? pyramid.overwriting() : pyramid;
    }

    private Reducer defaultReducer(ZarrArray sourceArray, boolean isLabel) {
        if (isLabel) {
            return Reducer.MODE;
        }
        Reducer defaultReducer = Reducer.defaultOf(sourceArray);
        Reducer.codesOf(sourceArray)
                .ifPresent(name -> output().printMessage("note: the elements of " + source + " are codes (" + name
                        + "), so the " + (defaultReducer == Reducer.MODE ? "most frequent" : "middle")
                        + " one stays; --reducer sets another way"));
        return defaultReducer;
    }

    /** Prints a note if a reducer computes with elements that the source marks as invalid. */
    private void noteValidRange(ZarrArray sourceArray, Reducer effectiveReducer) {
        if (effectiveReducer != Reducer.NEAREST && effectiveReducer != Reducer.MODE) {
            VALID_RANGES.stream()
                    .filter(name -> sourceArray.attributes().get(name).isPresent())
                    .findFirst()
                    .ifPresent(name -> output().printMessage("note: the attribute " + name + " of " + source
                            + " is not applied: elements outside count like all others, as in xarray"));
        }
    }

    /** Sets the shapes, the codecs and the name of the image. */
    private Pyramid withLayout(Pyramid pyramid, ZarrArray sourceArray, String imageLocation) {
        Pyramid result = pyramid;
        if (chunkShape != null) {
            result = result.withChunkShape(
                    ChunkShapeOptions.requireRank("--chunk-shape", chunkShape.values(), sourceArray.shape()));
        }
        if (shardShape != null) {
            long[] shard = ChunkShapeOptions.requireRank("--shard-shape", shardShape.values(), sourceArray.shape());
            ChunkShapeOptions.requireMultiple(shard, chunkShape, sourceArray);
            result = result.withShardShape(shard);
        }
        if (codecs != null) {
            result = result.withCodecs(Options.codecs("--codecs", codecs, Options.typeSize(sourceArray)));
        }
        String imageName = name != null ? name : defaultName(imageLocation);
        return imageName.isEmpty() ? result : result.withName(imageName);
    }

    /** Returns the name of the target's folder or file without its suffix; empty if it has no name. */
    public static String defaultName(String target) {
        // First without a query, options and separators at the end; then the last name, without its suffix. A name
        // that is nothing but a suffix stays.
        String path = target.replaceAll("[?#].*$", "").replaceAll("[/\\\\!|]+$", "");
        return path.replaceAll("^.*[/\\\\!|:]", "").replaceAll("(?i)(?<=.)(\\.ome)?(\\.(zarr|zip|ozx))?$", "");
    }

    private List<Axis> axesOfOption() {
        return axes.stream().map(Axis::named).toList();
    }
}
