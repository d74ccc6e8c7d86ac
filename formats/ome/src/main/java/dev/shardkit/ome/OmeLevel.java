package dev.shardkit.ome;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrView;
import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.Dataset;
import dev.shardkit.ome.metadata.LevelPlacement;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One resolution of an {@link OmeImage}: an array with a pixel size and a position in space. Thread-safe. */
public final class OmeLevel {
    private final ZarrGroup group;
    private final OmeMetadata metadata;
    private final Multiscale multiscale;
    private final int index;
    /** The position in space; null until the first call that needs it. */
    private @Nullable LevelPlacement placement;
    /** The array; null until it is opened. */
    private @Nullable ZarrArray array;

    OmeLevel(ZarrGroup group, OmeMetadata metadata, Multiscale multiscale, int index) {
        this.group = group;
        this.metadata = metadata;
        this.multiscale = multiscale;
        this.index = index;
    }

    /** Returns the index of this level; 0 is the finest. */
    public int index() {
        return index;
    }

    /** Returns the description of this level. */
    public Dataset dataset() {
        return multiscale.datasets().get(index);
    }

    /**
     * Returns the array. The first call opens it.
     *
     * @throws MetadataException if there is no array, or its rank is not the number of axes
     */
    public synchronized ZarrArray array() {
        if (array == null) {
            String path = Members.requireBelow(
                    group.location(), memberPath("path"), dataset().path());
            ZarrArray childArray = group.find(path).orElse(null) instanceof ZarrArray a ? a : null;
            if (childArray == null) {
                throw metadataError(
                        "path", "the path of an array", "\"" + dataset().path() + "\", where there is none");
            }
            int rank = childArray.shape().length;
            if (rank != multiscale.axes().size()) {
                childArray.close();
                throw metadataError(
                        "path",
                        "an array with " + multiscale.axes().size() + " dimensions, one for each axis",
                        rank + " dimensions");
            }
            array = childArray;
        }
        return array;
    }

    /**
     * Returns the array as a view whose dimensions have the names of the axes, even if the array has no dimension
     * names: {@code level.view().isel("c", 1).isel("y", 0, 512).read()}.
     */
    public ZarrView view() {
        return array().view()
                .withDimensionNames(multiscale.axes().stream().map(Axis::name).toArray(String[]::new));
    }

    /** Returns the axes of the image, one for each dimension of the array. */
    public List<Axis> axes() {
        return multiscale.axes();
    }

    /** Returns the distance of neighbouring elements along each axis, in the units of the axes. */
    public double[] scale() {
        return toArray(levelPlacement().scale());
    }

    /** Returns the physical coordinates of the element at index 0, in the units of the axes. */
    public double[] translation() {
        return toArray(levelPlacement().translation());
    }

    /**
     * Returns the distance of neighbouring elements along an axis, in the unit of the axis.
     *
     * @throws IllegalArgumentException if there is no such axis
     */
    public double pixelSize(String axis) {
        return levelPlacement().scale().get(dimension(axis));
    }

    /**
     * Returns the dimension of an axis.
     *
     * @throws IllegalArgumentException if there is no such axis
     */
    public int dimension(String axis) {
        List<Axis> axes = multiscale.axes();
        for (int d = 0; d < axes.size(); d++) {
            if (axes.get(d).name().equals(axis)) {
                return d;
            }
        }
        throw new IllegalArgumentException(
                "expected one of the axes " + axes.stream().map(Axis::name).toList() + ", found \"" + axis + "\"");
    }

    /**
     * Returns the smallest box with all elements whose physical coordinates are between {@code from} and {@code to},
     * both included. The box may be empty.
     *
     * @param from the lower bounds: a coordinate for each axis, in the units of the axes; may be infinite
     * @param to the upper bounds, in the same form
     */
    public Box between(double[] from, double[] to) {
        long[] shape = array().shape();
        if (from.length != shape.length || to.length != shape.length) {
            throw new IllegalArgumentException(
                    "expected " + shape.length + " coordinates, found " + from.length + " and " + to.length);
        }
        long[] origin = new long[shape.length];
        long[] lengths = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            // The tolerance of 1e-9 includes elements on the bounds in spite of rounding.
            long start = clamp(Math.ceil(levelPlacement().index(d, from[d]) - 1e-9), shape[d]);
            long end = clamp(Math.floor(levelPlacement().index(d, to[d]) + 1e-9) + 1, shape[d]);
            origin[d] = start;
            lengths[d] = Math.max(0, end - start);
        }
        return Box.of(origin, lengths);
    }

    /** Returns the index, limited to the range from 0 to {@code length}. */
    private static long clamp(double index, long length) {
        return (long) Math.max(0, Math.min(index, length));
    }

    /** Returns the larger pixel size of the last two axes of space, by which {@link OmeImage} chooses a level. */
    double planePixelSize() {
        List<Axis> axes = multiscale.axes();
        double size = 0;
        int spaceAxes = 0;
        for (int d = axes.size() - 1; d >= 0 && spaceAxes < 2; d--) {
            if (axes.get(d).isSpace()) {
                size = Math.max(size, levelPlacement().scale().get(d));
                spaceAxes++;
            }
        }
        if (spaceAxes == 0) {
            throw Members.error(group.location(), "axes", "axes of space", "none");
        }
        return size;
    }

    private static double[] toArray(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Returns the physical position of the level, which the first call computes. */
    private synchronized LevelPlacement levelPlacement() {
        if (placement == null) {
            placement = LevelPlacement.of(metadata, multiscale, index);
        }
        return placement;
    }

    /** Returns the path in the metadata of a member of this level, for messages. */
    private String memberPath(String name) {
        return "multiscales[0].datasets[" + index + "]." + name;
    }

    private MetadataException metadataError(String member, String expected, String found) {
        return Members.error(group.location(), memberPath(member), expected, found);
    }

    @Override
    public String toString() {
        return "level " + index + " of " + group.location();
    }
}
