package dev.shardkit.cli.command;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.GroupsAbove;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.Unfinished;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.Shards;
import dev.shardkit.cli.print.NodeFacts;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.Progress;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.ome.Axis;
import dev.shardkit.ome.ImageLabel;
import dev.shardkit.ome.LabelLocation;
import dev.shardkit.ome.OmeVersion;
import dev.shardkit.ome.Pyramid;
import dev.shardkit.ome.Reducer;
import dev.shardkit.spi.array.WholeFormat;
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
                            + "for labels).")
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
    public Optional<String> afterSignal(String command) {
        return resume(target != null ? target : source, command);
    }

    @Override
    public int run() throws IOException {
        ZarrOptions options = plainOptions();
        Optional<LabelLocation> place = target == null ? Optional.empty() : LabelLocation.of(target, options());
        if (version == null && place.isPresent() && place.get().version() == OmeVersion.V0_4) {
            version = OmeVersion.V0_4.text(); // labels are of the version of their image
        }
        try {
            if (target == null) {
                beside(options);
            } else {
                CopyCommand.checkApart(source, target);
                to(target, options, place);
            }
        } catch (IllegalArgumentException e) {
            throw new WrongUse(String.valueOf(e.getMessage()));
        }
        if (target != null && omeVersion() != OmeVersion.V0_4) {
            GroupsAbove.make(target, options, output());
        }
        return 0;
    }

    private void to(String image, ZarrOptions options, Optional<LabelLocation> place) throws IOException {
        try (ZarrArray from = array();
                Store to = Zarr.openStore(image, options);
                Progress progress = Progress.of("pyramid", output())) {
            Pyramid plain = SourceLevel.of(source, options(), output())
                    .map(level -> takeOver(level, Pyramid.of(from), isLabel(from, place)))
                    .orElseGet(() -> Pyramid.of(from));
            Pyramid pyramid = pyramid(plain, from, image, place)
                    .withProgress((level, done, total) -> progress.onProgress(done, total));
            try {
                tell(pyramid.to(to, options));
            } catch (ZarrException e) {
                throw Unfinished.hint(e, to, image);
            }
        }
    }

    private void beside(ZarrOptions options) throws IOException {
        ChildNode child = ChildNode.of(source);
        try (Store group = Zarr.openStore(child.parent(), options());
                ZarrArray from = Zarr.openArray(group, child.name(), options);
                Progress progress = Progress.of("pyramid", output())) {
            if (!(Zarr.find(group, "", options).orElse(null) instanceof ZarrGroup)) {
                throw new WrongUse("there is no group at " + child.parent()
                        + " to hold the levels: give DST, or make the " + "group with 'shardkit group'");
            }
            tell(pyramid(Pyramid.of(from), from, child.parent(), Optional.empty())
                    .withProgress((level, done, total) -> progress.onProgress(done, total))
                    .beside(group, options));
        }
    }

    private void tell(Pyramid.Summary summary) {
        if (json) {
            output().json(Json.object()
                    .with("levels", Json.of(summary.levels()))
                    .with("made", Json.of(summary.made())));
        } else {
            output().line(NodeFacts.count(summary.levels(), "level")
                    + (summary.made() < summary.levels() ? ", " + summary.made() + " of them made now" : ""));
        }
    }

    private OmeVersion omeVersion() {
        return version == null
                ? OmeVersion.V0_5
                : OmeVersion.of(version)
                        .orElseThrow(() -> new WrongUse("expected --ome-version 0.4 or 0.5, found " + version));
    }

    /** Opens the array. The failure of an image, which is a group, names a level. */
    private ZarrArray array() {
        ZarrNode opened = Zarr.open(source, options());
        if (opened instanceof ZarrArray array) {
            return array;
        }
        try (opened) {
            throw new WrongUse(source + ": expected an array, found a group"
                    + SourceLevel.first((ZarrGroup) opened)
                            .map(path -> "; to use the finest level of this image, give " + source.replaceAll("/+$", "")
                                    + (source.endsWith("!") ? "" : "/") + path)
                            .orElse("; shardkit ls names the arrays in it"));
        }
    }

    /** Takes over what the image of a level states and the user does not. */
    private Pyramid takeOver(SourceLevel from, Pyramid plain, boolean isLabel) {
        Pyramid pyramid = plain;
        List<String> taken = new ArrayList<>();
        if (axes.isEmpty() && pixelSize.isEmpty()) {
            pyramid = pyramid.like(from.level());
            taken.add("axes, units and pixel sizes");
        } else if (axes.isEmpty()) {
            pyramid = pyramid.withAxes(from.level().axes());
            taken.add("axes and units");
        }
        if (from.omero().isPresent() && !isLabel) {
            pyramid = pyramid.withOmero(from.omero().get());
            taken.add("channels (omero)");
        }
        if (!taken.isEmpty()) {
            output().message("note: " + source + " is level " + from.level().index() + " of the image "
                    + from.image() + "; taken over from it: " + String.join(", ", taken)
                    + ". --axes, --pixel-size and --unit set other ones");
        }
        return pyramid;
    }

    private boolean isLabel(ZarrArray from, Optional<LabelLocation> place) {
        return labels || place.isPresent() && from.dataType().number().orElse(null) instanceof WholeFormat;
    }

    private Pyramid pyramid(Pyramid plain, ZarrArray from, String image, Optional<LabelLocation> place) {
        Pyramid pyramid = layout(plain.withVersion(omeVersion()), from, image);
        boolean isLabel = isLabel(from, place);
        Reducer chosen = reducer != null ? reducer : isLabel ? Reducer.MODE : Reducer.MEAN;
        pyramid = pyramid.withReducer(chosen).withSkipped(skip);
        if (!axes.isEmpty() || !units.isEmpty()) {
            pyramid = pyramid.withAxes(Axis.withUnits(axes.isEmpty() ? pyramid.axes() : named(), units));
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
        } else if (place.isPresent()) {
            pyramid = pyramid.withLevels(place.get().levels());
        }
        if (isLabel) {
            pyramid = pyramid.withImageLabel(place.isPresent() ? ImageLabel.ofImage("../../") : ImageLabel.of());
        }
        return overwrite ? pyramid.overwriting() : pyramid;
    }

    private Pyramid layout(Pyramid pyramid, ZarrArray from, String folder) {
        Pyramid result = pyramid;
        if (chunkShape != null) {
            result = result.withChunkShape(Shards.fitting("--chunk-shape", chunkShape.values(), from.shape()));
        }
        if (shardShape != null) {
            long[] shard = Shards.fitting("--shard-shape", shardShape.values(), from.shape());
            Shards.divisible(shard, chunkShape, from);
            result = result.withShardShape(shard);
        }
        if (codecs != null) {
            result = result.withCodecs(Options.codecs("--codecs", codecs, CopyCommand.typeSize(from)));
        }
        String image = name != null ? name : defaultName(folder);
        return image.isEmpty() ? result : result.withName(image);
    }

    /** Returns the name of the target's folder without its ending; empty if it has none. */
    public static String defaultName(String target) {
        String path = target.replaceAll("[?#].*$", "").replaceAll("[/\\\\!|]+$", "");
        return path.replaceAll("^.*[/\\\\!|:]", "").replaceAll("(?i)(?<=.)(\\.ome)?(\\.(zarr|zip|ozx))?$", "");
    }

    private List<Axis> named() {
        return axes.stream().map(Axis::named).toList();
    }
}
