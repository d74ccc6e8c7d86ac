package dev.shardkit.ome.pyramid;

import dev.shardkit.AcquisitionOptions;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.SliceOptions;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.ome.OmeLevel;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.ImageLabel;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.ome.metadata.Omero;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.List;

/**
 * Creates an OME-Zarr image from an array. Level 0 is a copy of the array ({@link #to}) or the array itself
 * ({@link #addLevels}). Each coarser level is computed from the next finer one. By default, only axes of space are
 * reduced. In version 0.5, levels are sharded. The memory that a call takes does not depend on the size of the image.
 *
 * <p>The metadata of each level is written after its chunks, and the metadata of the group last, so readers never see
 * an incomplete image. Repeating an interrupted call resumes it and keeps complete levels and shards. In a ZIP archive,
 * the complete image is published in one step, and a failure discards it ({@code AllOrNothing}). The source must not
 * change during a call.
 *
 * <p>Immutable and thread-safe.
 */
public final class Pyramid {
    private final ZarrArray source;
    private final PyramidSettings plan;
    private final IfExists existing;
    private final Progress progress;

    private Pyramid(ZarrArray source, PyramidSettings plan, IfExists existing, Progress progress) {
        this.source = source;
        this.plan = plan;
        this.existing = existing;
        this.progress = progress;
    }

    /**
     * Creates a pyramid that replaces blocks of 2 elements along each axis of space by their mean. The names of the
     * array's dimensions determine the axes: x, y and z are space, t is time, c are channels. Without names, the axes
     * are the last of t, c, z, y, x.
     *
     * @throws IllegalArgumentException if the array has fewer than two or more than five dimensions, or its elements
     *     have no fixed size
     */
    public static Pyramid of(ZarrArray source) {
        return new Pyramid(source, PyramidSettings.of(source), IfExists.REFUSE, (array, done, total) -> {});
    }

    private Pyramid withPlan(PyramidSettings newPlan) {
        return new Pyramid(source, newPlan, existing, progress);
    }

    PyramidSettings plan() {
        return plan;
    }

    /** Returns the axes, one for each dimension. */
    public List<Axis> axes() {
        return plan.axes();
    }

    /**
     * Returns a pyramid with these axes.
     *
     * @throws IllegalArgumentException unless there is one axis for each dimension, two or three are axes of space, and
     *     their order is time, other axes, space
     */
    public Pyramid withAxes(List<Axis> axes) {
        return withPlan(plan.withAxes(axes));
    }

    /**
     * Returns a pyramid with these distances between elements along each axis, in the units of the axes. The default is
     * 1.
     *
     * @throws IllegalArgumentException unless there is a positive number for each axis
     */
    public Pyramid withPixelSize(double... sizes) {
        return withPlan(plan.withPixelSize(sizes));
    }

    /**
     * Returns a pyramid whose element at index 0 has these physical coordinates, in the units of the axes. The default
     * is 0.
     *
     * @throws IllegalArgumentException unless there is a number for each axis
     */
    public Pyramid withOrigin(double... coordinates) {
        return withPlan(plan.withOrigin(coordinates));
    }

    /** Returns a pyramid with these display settings of channels. */
    public Pyramid withOmero(Omero omero) {
        return withPlan(plan.withOmero(omero));
    }

    /**
     * Returns a pyramid whose level 0 has the axes, units, pixel sizes and origin of a level of another image. The
     * array of this pyramid should be that level, or should have been computed from it and have its shape.
     *
     * @throws IllegalArgumentException if the level has another number of axes
     */
    public Pyramid withGeometryOf(OmeLevel level) {
        return withAxes(level.axes()).withPixelSize(level.scale()).withOrigin(level.translation());
    }

    /** Returns a pyramid with this reducer. The default is {@link Reducer#defaultOf}. */
    public Pyramid withReducer(Reducer reducer) {
        return withPlan(plan.withReducer(reducer));
    }

    /**
     * Returns a pyramid that ignores these elements. {@link Reducer#NEAREST} ignores no elements. The default is
     * {@link SkippedElements#MISSING}.
     */
    public Pyramid withSkipped(SkippedElements skipped) {
        return withPlan(plan.withSkipped(skipped, skipped.words(source)));
    }

    /**
     * Returns a pyramid that reduces blocks of this many elements along each axis.
     *
     * @throws IllegalArgumentException unless there is a number for each axis, from 1 to 64, one of them above 1
     */
    public Pyramid withFactors(int... factors) {
        return withPlan(plan.withFactors(factors));
    }

    /**
     * Returns a pyramid with this number of levels, including level 0. By default, levels are added until the whole
     * plane of the last level fits into an inner chunk.
     *
     * @throws IllegalArgumentException unless 1 &lt;= levels &lt;= 32
     */
    public Pyramid withLevels(int levels) {
        return withPlan(plan.withLevels(levels));
    }

    /** Returns a pyramid with inner chunks of this shape. The default is the shape in the source. */
    public Pyramid withChunkShape(long... shape) {
        return withPlan(plan.withChunkShape(shape));
    }

    /**
     * Returns a pyramid with shards of this shape. By default, shards have about 32 MiB of decoded elements and at most
     * 4,096 inner chunks.
     */
    public Pyramid withShardShape(long... shape) {
        return withPlan(plan.withShardShape(shape));
    }

    /**
     * Returns a pyramid with these codecs for inner chunks. The default for version 0.5 is {@link Codecs#zstd}, level
     * 3.
     */
    public Pyramid withCodecs(Json... codecs) {
        return withPlan(plan.withCodecs(codecs));
    }

    /** Returns a pyramid whose image has this name. */
    public Pyramid withName(String name) {
        return withPlan(plan.withName(name));
    }

    /** Returns a pyramid whose elements are labels. Use it with {@link Reducer#MODE}, which invents no labels. */
    public Pyramid withImageLabel(ImageLabel label) {
        return withPlan(plan.withImageLabel(label));
    }

    /**
     * Returns a pyramid of another version: 0.5, the default, or 0.4, which is stored in Zarr v2, without shards. By
     * default, inner chunks of 0.4 are compressed by blosc with lz4, which most readers support.
     *
     * @throws IllegalArgumentException if {@code version} is neither 0.4 nor 0.5
     */
    public Pyramid withVersion(OmeVersion version) {
        return withPlan(plan.withVersion(version));
    }

    /** Returns a pyramid that replaces an existing node or unfinished image. It never replaces anything else. */
    public Pyramid overwriting() {
        return new Pyramid(source, plan, IfExists.OVERWRITE, progress);
    }

    /** Returns a pyramid that reports its progress to {@code listener}, in shards of each level. */
    public Pyramid withProgress(Progress listener) {
        return new Pyramid(source, plan, existing, listener);
    }

    /**
     * Creates the image at the root of a store. The store must be empty, or hold an unfinished image of an earlier call
     * with the same settings. In that case, this call adds the missing levels.
     *
     * <p>If the location of the store is {@code IMAGE/labels/NAME} and the image exists, the name is added to the list
     * of labels in the group above. The group is opened by its location, with the default settings of its store.
     *
     * @param options the options for writing
     * @return the number of levels of the image, and of those that this call created
     * @throws dev.shardkit.spi.error.StoreException if the store holds something else, or the list of labels cannot be
     *     reached; then the image is complete, and {@link OmeLabels#add} adds its name
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
     */
    public Summary to(Store target, ZarrOptions options) {
        plan.check();
        Summary summary = AllOrNothing.run(target, () -> createImage(target, options));
        LabelLocation.addToList(target, plan.version(), options);
        return summary;
    }

    /**
     * Returns this pyramid for several processes that create it together at the root of a store.
     *
     * @param options the options for writing; the ownership is always
     *     {@link dev.shardkit.store.policy.WriteOwnership#OWNED}
     * @throws IllegalArgumentException if the version is not 0.5
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes by several processes
     */
    public PartedPyramid inParts(Store target, ZarrOptions options) {
        plan.check();
        return new PartedPyramid(
                source, new PyramidLevels(plan, PyramidLevels.FIRST), existing, progress, target, options);
    }

    private Summary createImage(Store target, ZarrOptions options) {
        SourceCheck.refuseOverlap(source, target);
        Destination destination = Destination.of(target).ofPyramid();
        PyramidLevels levels = new PyramidLevels(plan, PyramidLevels.FIRST);
        boolean isResumed = destination.resume(levels.state(source));
        if (!isResumed) {
            destination.clear(existing);
            destination.begin(levels.state(source), options.durability());
        }
        return destination.whileLocked(
                options,
                () -> publishLevels(
                        new PyramidRun(target, destination, options, progress, levels, isResumed),
                        levels,
                        destination,
                        target,
                        options));
    }

    private Summary publishLevels(
            PyramidRun run, PyramidLevels levels, Destination destination, Store target, ZarrOptions options) {
        boolean copiesSource = true; // level 0 is a copy of the array
        Summary summary = run.run(source, copiesSource);
        OmeMetadata metadata = levels.metadata(summary.levels());
        destination.requireHeld();
        if (plan.version() == OmeVersion.V0_4) {
            putMissing(destination, V2Documents.ATTRIBUTES, metadata.attributes(), options);
            putMissing(destination, V2Documents.GROUP, V2Documents.groupDocument(), options);
        } else {
            publishGroup(destination, target, metadata, options);
        }
        destination.finish(options);
        return summary;
    }

    private static void putMissing(Destination destination, String key, Json.Obj document, ZarrOptions options) {
        if (!destination.isStored(key, document, options)) {
            destination.put(key, document, options.durability());
        }
    }

    /**
     * Writes the document of the image's group unless an interrupted run has written it.
     *
     * @throws dev.shardkit.spi.error.StoreException if there is another node, which another program has created
     */
    static void publishGroup(Destination destination, Store target, OmeMetadata metadata, ZarrOptions options) {
        if (!destination.isFinished("", GroupMetadata.of(metadata.attributes()), options)) {
            Zarr.createGroup(target, "", metadata.attributes(), IfExists.REFUSE, options);
        }
    }

    /**
     * Turns the group at the root of a store into an image whose level 0 is the array. Writes the coarser levels into
     * the group: {@code 1}, {@code 2} and so on if the array is called {@code 0}, or {@code raw_1}, {@code raw_2} and
     * so on if it is called {@code raw}. Then gives the dimensions of the array the names of the axes, if they have no
     * names. Finally adds the metadata of the image to the group's attributes. The group may already be an image with
     * level 0 only and the same settings, such as {@link PlateRecording} creates.
     *
     * @param group a store whose root is a group of Zarr v3; the array of this pyramid must be a child of the group,
     *     opened from this store by its path
     * @param options the options for writing
     * @return the number of levels of the image, and of those that this call created
     * @throws IllegalArgumentException if the array is not a child of the group, its dimensions have other names than
     *     the axes, or the pyramid replaces existing nodes or is of version 0.4
     * @throws dev.shardkit.spi.error.StoreException if the group is already an image, or a level would replace another
     *     node
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
     */
    public Summary addLevels(Store group, ZarrOptions options) {
        plan.check();
        if (existing == IfExists.OVERWRITE) {
            throw new IllegalArgumentException(
                    "levels beside an array never replace anything (--overwrite); remove the old levels first");
        } else if (plan.version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException("levels beside an array are written in OME-Zarr 0.5 only");
        }
        return AllOrNothing.run(group, () -> new LevelAddition(group, source, options).run(progress, plan));
    }

    /**
     * Begins a stream of slices into an image that grows along its first dimension. Level 0 is the array, which may be
     * empty, as in {@link #addLevels}; the coarser levels are created beside it, without slices. Then the metadata of
     * the image are added to the group, so viewers can open it before the first slice. If an earlier stream left levels
     * that are shorter or longer than level 0, this call makes them as long as level 0. So only one stream may write to
     * an image at a time.
     *
     * @param group as for {@link #addLevels}
     * @param slices the options of the stream of each level, with {@link dev.shardkit.SliceOptions.Growth#GROW}; the
     *     budget holds for each level, and coarser levels use only a part of it
     * @throws IllegalArgumentException as {@link #addLevels}, or if no other dimension is reduced
     * @throws dev.shardkit.spi.error.StoreException if the group is an image with other settings, or a level would
     *     replace another node
     * @throws dev.shardkit.spi.error.UnsupportedException if the elements are not numbers, or the store does not
     *     support writes
     */
    public PyramidStream stream(Store group, ZarrOptions options, SliceOptions slices) {
        if (existing == IfExists.OVERWRITE || plan.version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException(
                    "a stream makes images of OME-Zarr 0.5 and never replaces anything (overwriting, withVersion)");
        }
        return PyramidStream.begin(group, source, plan, options, slices);
    }

    /**
     * Begins an acquisition into an image of several levels: frames of channels, positions and planes in any order
     * within a window, reduced as they come. Level 0 is the array, whose dimensions have names; the coarser levels are
     * created beside it, without frames. Then the metadata of the image are added to the group, so viewers can open it
     * before the first frame. Only the dimensions of a frame are reduced; by default, those of space by a factor of 2.
     *
     * <p>An earlier acquisition may have stored frames in some of the levels only. This call adds the frames of level 0
     * that coarser levels lack. The {@linkplain dev.shardkit.Acquisition#partialFrames partial frames} of level 0 are
     * added when the next frame of their stream comes, or by this call if the stream is at the end of an array of fixed
     * length. Frames that only coarser levels have are erased when the next frame of their stream comes; until then,
     * coarser levels may be longer than level 0. Several acquisitions, even of several processes, may write to one
     * image at the same time. Each needs streams of its own, and none may open the image while another one closes it.
     *
     * @param group as for {@link #addLevels}
     * @param acquisition the options of the acquisition of each level; the levels share the budget
     * @throws IllegalArgumentException as {@link #addLevels}, or if the factors reduce a dimension that is not a
     *     dimension of a frame
     * @throws dev.shardkit.spi.error.StoreException if the group is an image with other settings, or a level would
     *     replace another node
     * @throws IndexOutOfBoundsException if the options start behind the end of an array of fixed length
     * @throws dev.shardkit.spi.error.UnsupportedException if the elements are not numbers, several streams would
     *     lengthen an array that is written without locks, or the store does not support writes
     */
    public PyramidAcquisition acquisition(Store group, ZarrOptions options, AcquisitionOptions acquisition) {
        if (existing == IfExists.OVERWRITE || plan.version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException("an acquisition makes images of OME-Zarr 0.5 and never replaces anything"
                    + " (overwriting, withVersion)");
        }
        LiveImage image = new LiveImage(group, "", source, plan, options, acquisition);
        LevelAddition addition = new LevelAddition(group, source, options);
        addition.requireImage(image.levels());
        image.checkLevels();
        image.createLevels();
        addition.publish(image.levels());
        return image.open(acquisition.slices().budgetBytes(), image.smoothBytes(), PyramidAcquisition.Admission.NONE);
    }

    /**
     * The result of a call.
     *
     * @param levels the number of levels of the image
     * @param newLevels the number of levels that this call created
     */
    public record Summary(int levels, int newLevels) {}

    @Override
    public String toString() {
        return "pyramid of " + source.location();
    }
}
