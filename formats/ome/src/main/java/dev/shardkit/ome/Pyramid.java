package dev.shardkit.ome;

import dev.shardkit.Codecs;
import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.base.AllOrNothing;
import dev.shardkit.maintenance.base.SourceNode;
import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.List;

/**
 * Makes an OME-Zarr image of an array: a copy of the array as level 0 ({@link #to}), or the array itself
 * ({@link #beside}), and coarser levels, each made from the one before. Only the axes of space are reduced unless told
 * otherwise. Levels of 0.5 are sharded. Works in pieces: memory does not depend on the size of the image.
 *
 * <p>The metadata of the group are written last, and those of each level after its chunks, so readers never see half an
 * image. The same call resumes an interrupted one: levels and shards that are complete are kept. In an archive, an
 * image is one change, which a failure discards ({@link AllOrNothing}). The source must not change meanwhile.
 *
 * <p>Immutable and thread-safe.
 */
public final class Pyramid {
    private final ZarrArray source;
    private final PyramidPlan plan;
    private final Existing existing;
    private final Progress progress;

    private Pyramid(ZarrArray source, PyramidPlan plan, Existing existing, Progress progress) {
        this.source = source;
        this.plan = plan;
        this.existing = existing;
        this.progress = progress;
    }

    /**
     * Creates a pyramid with the mean of blocks of 2 elements along each axis of space. The names of the array's
     * dimensions tell the axes: x, y and z are space, t is time, c are channels. Without names, the axes are the last
     * of t, c, z, y, x.
     *
     * @throws IllegalArgumentException if the array has fewer than two or more than five dimensions, or its elements
     *     have no fixed size
     */
    public static Pyramid of(ZarrArray source) {
        return new Pyramid(source, PyramidPlan.of(source), Existing.REFUSE, (array, done, total) -> {});
    }

    private Pyramid with(PyramidPlan other) {
        return new Pyramid(source, other, existing, progress);
    }

    /** Returns the axes, one for each dimension. */
    public List<Axis> axes() {
        return plan.axes();
    }

    /**
     * Returns a pyramid with these axes.
     *
     * @throws IllegalArgumentException unless there is one for each dimension, two or three of space, ordered time,
     *     other, space
     */
    public Pyramid withAxes(List<Axis> axes) {
        return with(plan.withAxes(axes));
    }

    /**
     * Returns a pyramid whose elements are this far apart along each axis, in the units of the axes. By default 1.
     *
     * @throws IllegalArgumentException unless there is a positive number for each axis
     */
    public Pyramid withPixelSize(double... sizes) {
        return with(plan.withPixelSize(sizes));
    }

    /**
     * Returns a pyramid whose element at index 0 has these physical coordinates, in the units of the axes. By default
     * 0.
     *
     * @throws IllegalArgumentException unless there is a number for each axis
     */
    public Pyramid withOrigin(double... coordinates) {
        return with(plan.withOrigin(coordinates));
    }

    /** Returns a pyramid whose image says how to show its channels. */
    public Pyramid withOmero(Omero omero) {
        return with(plan.withOmero(omero));
    }

    /**
     * Returns a pyramid whose level 0 has the axes with their units, the pixel sizes and the place of a level of an
     * image. For a pyramid of that level, or of an array made of it with the same shape.
     *
     * @throws IllegalArgumentException if the level has another number of axes
     */
    public Pyramid like(OmeLevel level) {
        return withAxes(level.axes()).withPixelSize(level.scale()).withOrigin(level.translation());
    }

    /** Returns a pyramid that reduces elements in this way. By default {@link Reducer#MEAN}. */
    public Pyramid withReducer(Reducer reducer) {
        return with(plan.withReducer(reducer));
    }

    /**
     * Returns a pyramid in which these elements do not count: each reducer but {@link Reducer#NEAREST} takes only the
     * others. By default {@link SkippedElements#MISSING}.
     */
    public Pyramid withSkipped(SkippedElements skipped) {
        return with(plan.withSkipped(skipped, skipped.words(source)));
    }

    /**
     * Returns a pyramid that makes one element of this many along each axis.
     *
     * @throws IllegalArgumentException unless there is a number for each axis, from 1 to 64, one of them above 1
     */
    public Pyramid withFactors(int... factors) {
        return with(plan.withFactors(factors));
    }

    /**
     * Returns a pyramid with this many levels, level 0 included. By default there are levels until a plane fits into an
     * inner chunk.
     *
     * @throws IllegalArgumentException unless 1 &lt;= levels &lt;= 32
     */
    public Pyramid withLevels(int levels) {
        return with(plan.withLevels(levels));
    }

    /** Returns a pyramid with inner chunks of this shape. By default those of the source. */
    public Pyramid withChunkShape(long... shape) {
        return with(plan.withChunkShape(shape));
    }

    /**
     * Returns a pyramid with shards of this shape. By default about 32 MiB of decoded elements, and at most 4,096 inner
     * chunks.
     */
    public Pyramid withShardShape(long... shape) {
        return with(plan.withShardShape(shape));
    }

    /**
     * Returns a pyramid with these codecs for inner chunks. By default {@link Codecs#zstd}, level 3, for version 0.5.
     */
    public Pyramid withCodecs(Json... codecs) {
        return with(plan.withCodecs(codecs));
    }

    /** Returns a pyramid whose image has a name. */
    public Pyramid withName(String name) {
        return with(plan.withName(name));
    }

    /** Returns a pyramid of labels. They should be reduced by {@link Reducer#MODE}. */
    public Pyramid withImageLabel(ImageLabel label) {
        return with(plan.withImageLabel(label));
    }

    /**
     * Returns a pyramid of another version: 0.5, the default, or 0.4, which is stored in Zarr v2, without shards. By
     * default, inner chunks of 0.4 are compressed by blosc with lz4, which most readers know.
     *
     * @throws IllegalArgumentException if {@code version} is neither 0.4 nor 0.5
     */
    public Pyramid withVersion(OmeVersion version) {
        return with(plan.withVersion(version));
    }

    /** Returns a pyramid that replaces an existing node or unfinished image. It never replaces anything else. */
    public Pyramid overwriting() {
        return new Pyramid(source, plan, Existing.OVERWRITE, progress);
    }

    /** Returns a pyramid that reports its progress to {@code listener}, in shards of each level. */
    public Pyramid withProgress(Progress listener) {
        return new Pyramid(source, plan, existing, listener);
    }

    /**
     * Makes the image at the root of a store. The store must be empty, or hold an image that an earlier call with the
     * same settings left unfinished; this call then makes the levels that are missing.
     *
     * <p>If the location of the store is {@code IMAGE/labels/NAME} and the image exists, the name is added to the list
     * of labels in the group above. The group is opened by its location, with the default settings of its store.
     *
     * @param options the options for writing
     * @return how many levels the image has, and how many of them this call made
     * @throws dev.shardkit.spi.error.StoreException if the store holds something else, or the list of labels cannot be
     *     reached; then the image is complete, and {@link OmeLabels#add} adds its name
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
     */
    public Summary to(Store target, ZarrOptions options) {
        plan.check();
        Summary summary = AllOrNothing.run(target, () -> make(target, options));
        LabelLocation.list(target, plan.version(), options);
        return summary;
    }

    /**
     * Returns this pyramid as one that several processes make together at the root of a store.
     *
     * @param options the options for writing; the ownership is always {@link dev.shardkit.store.Ownership#OWNED}
     * @throws IllegalArgumentException if the version is not 0.5
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes by several processes
     */
    public PartedPyramid inParts(Store target, ZarrOptions options) {
        plan.check();
        return new PartedPyramid(
                source, new PyramidLevels(plan, PyramidLevels.FIRST), existing, progress, target, options);
    }

    private Summary make(Store target, ZarrOptions options) {
        SourceNode.refuseOverlap(source, target);
        Destination destination = Destination.of(target).ofPyramid();
        PyramidLevels levels = new PyramidLevels(plan, PyramidLevels.FIRST);
        boolean isResumed = destination.holds(levels.state(source));
        if (!isResumed) {
            destination.makeRoom(existing);
            destination.begin(levels.state(source), options.durability());
        }
        Summary summary = new PyramidRun(target, options, progress, levels, isResumed).make(source, true);
        OmeMetadata metadata = levels.metadata(summary.levels());
        if (plan.version() == OmeVersion.V0_4) {
            destination.put(V2Documents.ATTRIBUTES, metadata.attributes(), options.durability());
            destination.put(V2Documents.GROUP, V2Documents.group(), options.durability());
        } else {
            Zarr.createGroup(target, "", metadata.attributes(), Existing.REFUSE, options);
        }
        destination.finish(options);
        return summary;
    }

    /**
     * Makes the group at the root of a store an image whose level 0 is the array, which stays where it is. The coarser
     * levels are written beside it: 1, 2 and so on beside 0, raw_1 beside raw. Then the array's dimensions get the
     * names of the axes, if they have none, and at last the group its metadata; its other attributes stay.
     *
     * @param group a store whose root is a group of Zarr v3; the array of this pyramid must be a child of the group,
     *     opened from this store by its path
     * @param options the options for writing
     * @return how many levels the image has, and how many of them this call made
     * @throws IllegalArgumentException if the array is not a child of the group, its dimensions have other names than
     *     the axes, or the pyramid replaces existing nodes or is of version 0.4
     * @throws dev.shardkit.spi.error.StoreException if the group is an image already, or the place of a level is taken
     * @throws dev.shardkit.spi.error.UnsupportedException if the store does not support writes
     */
    public Summary beside(Store group, ZarrOptions options) {
        plan.check();
        if (existing == Existing.OVERWRITE) {
            throw new IllegalArgumentException(
                    "levels beside an array never replace anything (--overwrite); remove the old levels first");
        } else if (plan.version() != OmeVersion.V0_5) {
            throw new IllegalArgumentException("levels beside an array are written in OME-Zarr 0.5 only");
        }
        return AllOrNothing.run(group, () -> new PyramidBeside(group, source, options).make(progress, plan));
    }

    /**
     * What a call did.
     *
     * @param levels the number of levels of the image
     * @param made how many of them this call made
     */
    public record Summary(int levels, int made) {}

    @Override
    public String toString() {
        return "pyramid of " + source.location();
    }
}
