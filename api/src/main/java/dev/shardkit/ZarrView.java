package dev.shardkit;

import dev.shardkit.engine.threads.CallerExceptionGuards;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.selection.Selections;
import dev.shardkit.selection.AxisSelection;
import dev.shardkit.selection.DimensionLookup;
import dev.shardkit.selection.Masks;
import dev.shardkit.selection.Points;
import dev.shardkit.selection.ReadDivision;
import dev.shardkit.selection.Selection;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.NoResult;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A selection of an array's elements that is read and written like an array. Making a view reads nothing. Views
 * compose: each method returns a view of this view, and its positions count from this view's start. Reads and writes
 * touch only the inner chunks with selected elements.
 *
 * <p>{@code array.isel("t", 3).isel("z", 10, 20).range(1, 0, 512, 2).read()} reads, at time 3, planes 10 to 19 and
 * every second row.
 *
 * <p>Selections are orthogonal: the view has every combination of the indices selected in each dimension. For single
 * elements in any arrangement see {@link #points} and {@link #where}. Immutable, thread-safe. It becomes invalid with
 * the array that it was made from.
 */
public final class ZarrView {
    private final StoredNode node;
    private final ArrayMetadata metadata;
    private final Selections selections;
    private final Selection selection;

    ZarrView(StoredNode node, ArrayMetadata metadata, Selections selections, Selection selection) {
        this.node = node;
        this.metadata = metadata;
        this.selections = selections;
        this.selection = selection;
    }

    private ZarrView with(Selection selection) {
        return new ZarrView(node, metadata, selections, selection);
    }

    /** Returns the shape, without the dimensions that {@link #at} removed. */
    public long[] shape() {
        return selection.shape();
    }

    /** Returns the data type. */
    public DataType dataType() {
        return metadata.dataType();
    }

    /** Returns the names of this view's dimensions; empty if the array has none. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return metadata.dimensionNames().map(names -> Arrays.stream(shape().length == 0 ? new int[0] : dimensions())
                .mapToObj(names::get)
                .toList());
    }

    /**
     * Returns this view with other names for the dimensions of its array, for {@link #isel(String, long)} and
     * {@link #dimension}. Conventions above Zarr, such as OME-Zarr, name dimensions in the attributes of a group.
     *
     * @param names one for each dimension of the array, also for those that {@link #at} removed
     * @throws IllegalArgumentException if their number is another
     */
    public ZarrView withDimensionNames(String... names) {
        if (names.length != metadata.rank()) {
            throw new IllegalArgumentException(
                    "expected " + metadata.rank() + " names, one for each dimension, found " + names.length);
        }
        ArrayMetadata renamed = metadata.toBuilder()
                .dimensionNames(Arrays.stream(names).map(Optional::of).toList())
                .build();
        return new ZarrView(node, renamed, selections, selection);
    }

    private int[] dimensions() {
        int[] dimensions = new int[shape().length];
        Arrays.setAll(dimensions, selection::dimension);
        return dimensions;
    }

    /**
     * Selects one index of a dimension and removes the dimension.
     *
     * @throws IndexOutOfBoundsException if this view has no such dimension or index
     */
    public ZarrView at(int dimension, long index) {
        selection.check(dimension, index, 1);
        return with(selection.at(dimension, index));
    }

    /**
     * Selects the indices from {@code start} to {@code stop}, exclusive.
     *
     * @throws IndexOutOfBoundsException if the range reaches outside this view
     */
    public ZarrView range(int dimension, long start, long stop) {
        return range(dimension, start, stop, 1);
    }

    /**
     * Selects every {@code step}-th index from {@code start} to {@code stop}, exclusive.
     *
     * @throws IndexOutOfBoundsException if the range reaches outside this view
     * @throws IllegalArgumentException if {@code step} is not positive
     */
    public ZarrView range(int dimension, long start, long stop, long step) {
        if (step < 1) {
            throw new IllegalArgumentException("expected a step of at least 1, found " + step);
        }
        selection.check(dimension, start, stop - start);
        long count = (stop - start - 1 + step) / step; // rounded up
        return with(selection.with(dimension, new AxisSelection.Steps(start, step, count)));
    }

    /** Reverses the order of the indices of a dimension. */
    public ZarrView reversed(int dimension) {
        selection.check(dimension, 0, 0); // throws if there is no such dimension
        long length = shape()[dimension];
        return with(selection.with(dimension, new AxisSelection.Steps(length - 1, -1, length)));
    }

    /**
     * Selects a list of indices, in any order. An index may occur more than once; a write stores the element of its
     * last occurrence.
     *
     * @throws IndexOutOfBoundsException if an index is outside this view
     */
    public ZarrView indices(int dimension, long... indices) {
        selection.check(dimension, 0, 0); // throws if there is no such dimension
        for (long index : indices) {
            selection.check(dimension, index, 1);
        }
        return with(selection.with(dimension, new AxisSelection.Listed(indices)));
    }

    /**
     * Selects the indices whose element of {@code mask} is true.
     *
     * @throws IllegalArgumentException if the mask does not have the length of the dimension
     */
    public ZarrView mask(int dimension, boolean... mask) {
        selection.check(dimension, 0, 0); // throws if there is no such dimension
        if (mask.length != shape()[dimension]) {
            throw new IllegalArgumentException("expected a mask of " + shape()[dimension] + " elements for dimension "
                    + dimension + ", found " + mask.length);
        }
        return indices(dimension, Masks.indices(mask));
    }

    /**
     * Selects a box.
     *
     * @throws IndexOutOfBoundsException if the box reaches outside this view
     */
    public ZarrView region(Box region) {
        long[] shape = shape();
        if (region.rank() != shape.length) {
            throw new IndexOutOfBoundsException(
                    "region " + region + " of rank " + region.rank() + " in a view of rank " + shape.length);
        }
        ZarrView view = this;
        for (int d = 0; d < shape.length; d++) {
            view = view.range(d, region.origin(d), region.end(d));
        }
        return view;
    }

    /**
     * Selects one index of the dimension called {@code name} and removes the dimension.
     *
     * @throws IllegalArgumentException if not exactly one dimension has that name
     * @throws IndexOutOfBoundsException if the index is outside this view
     */
    public ZarrView isel(String name, long index) {
        return at(dimension(name), index);
    }

    /** Selects a range of the dimension called {@code name}; see {@link #range(int, long, long)}. */
    public ZarrView isel(String name, long start, long stop) {
        return range(dimension(name), start, stop);
    }

    /** Selects a range with steps of the dimension called {@code name}; see {@link #range(int, long, long, long)}. */
    public ZarrView isel(String name, long start, long stop, long step) {
        return range(dimension(name), start, stop, step);
    }

    /**
     * Returns the number of the dimension called {@code name}.
     *
     * @throws IllegalArgumentException if not exactly one dimension has that name
     */
    public int dimension(String name) {
        return DimensionLookup.find(dimensionNames().orElse(List.of()), name);
    }

    /**
     * Selects single elements by their positions in this view, in any order. The result has one dimension.
     *
     * @param points one index for each dimension; a point may occur more than once
     * @throws IndexOutOfBoundsException if a point is outside this view
     */
    public ZarrPoints points(long[]... points) {
        for (long[] point : points) {
            selection.check(point);
        }
        long[][] absolute = Arrays.stream(points).map(selection::point).toArray(long[][]::new);
        return new ZarrPoints(node, metadata, selections, Points.of(absolute));
    }

    /**
     * Selects the elements for which {@code mask} is true, in C order. The result has one dimension.
     *
     * @param mask a bool array with the shape of this view
     * @throws IllegalArgumentException if it has another type or shape
     */
    public ZarrPoints where(NdArray mask) {
        if (!(mask.array() instanceof boolean[] selected) || !Arrays.equals(mask.shape(), shape())) {
            throw new IllegalArgumentException("expected a mask bool" + Arrays.toString(shape()) + ", found "
                    + mask.dataType().name() + Arrays.toString(mask.shape()));
        }
        return points(Masks.points(selected, shape()));
    }

    /**
     * Reads the elements.
     *
     * @throws IllegalArgumentException if there are more than a Java array can hold
     */
    public NdArray read() {
        Object array = JavaArrayAdapters.allocate(dataType(), shape());
        readInto(array, 0);
        return NdArray.of(dataType(), shape(), array);
    }

    /** Reads the elements into a Java array of the data type's carrier, in C order, from index {@code offset}. */
    public void readInto(Object array, int offset) {
        selections.read(selections.division(selection), selections.target(shape(), array, offset));
    }

    /** Reads any number of elements into a target of this view's shape. */
    public void read(Target target) {
        selections.read(selections.division(selection), CallerExceptionGuards.target(target));
    }

    /** Reads the elements asynchronously. Cancelling the future stops the read. */
    public CompletableFuture<NdArray> readAsync() {
        Object array = JavaArrayAdapters.allocate(dataType(), shape());
        ReadDivision division = selections.division(selection);
        return selections.start(
                division, selections.target(shape(), array, 0), () -> NdArray.of(dataType(), shape(), array));
    }

    /**
     * Overwrites the selected elements; see {@link ZarrArray#write(Box, NdArray)}.
     *
     * @throws IllegalArgumentException if {@code values} has another shape
     */
    public void write(NdArray values) {
        write(values.filling(Box.of(shape())).as(metadata.dataType()).array(), 0);
    }

    /** Overwrites the selected elements with a Java array of the data type's carrier, from index {@code offset} on. */
    public void write(Object array, int offset) {
        selections.write(selection, JavaArrayAdapters.feed(dataType(), shape(), array, offset));
    }

    /** Overwrites the selected elements with a feed of this view's shape. In holes of the feed, elements are kept. */
    public void write(Feed feed) {
        selections.write(selection, CallerExceptionGuards.feed(feed));
    }

    /** Asynchronous form of {@link #write(NdArray)}. Do not change the values before the future completes. */
    public CompletableFuture<NoResult> writeAsync(NdArray values) {
        values.filling(Box.of(shape()));
        return node.session().async(() -> {
            write(values);
            return NoResult.INSTANCE;
        });
    }

    @Override
    public String toString() {
        return "view " + Arrays.toString(shape()) + " of " + node.location();
    }
}
