package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Selects elements of an array dimension by dimension (an orthogonal selection): the result has every combination of
 * the selected indices. A dimension may be reduced to a single index and left out of the result. Immutable.
 */
public final class Selection {
    private final List<AxisSelection> axes;
    /** For each dimension of the result, the dimension of the array. */
    private final int[] resultDimensions;

    private Selection(List<AxisSelection> axes, int[] resultDimensions) {
        this.axes = List.copyOf(axes);
        this.resultDimensions = resultDimensions;
    }

    /** Selects all elements of an array of {@code shape}. */
    public static Selection all(long[] shape) {
        return new Selection(
                Arrays.stream(shape).mapToObj(AxisSelection::all).toList(),
                IntStream.range(0, shape.length).toArray());
    }

    /** Returns the shape of the result. */
    public long[] shape() {
        return Arrays.stream(resultDimensions)
                .mapToLong(d -> axes.get(d).count())
                .toArray();
    }

    /** Returns the dimension of the array that is dimension {@code i} of the result. */
    public int dimension(int i) {
        return resultDimensions[i];
    }

    /**
     * Checks a range of positions of dimension {@code dimension} of the result.
     *
     * @throws IndexOutOfBoundsException if there is no such dimension, or the range reaches outside it
     */
    public void check(int dimension, long start, long length) {
        long[] shape = shape();
        if (dimension < 0 || dimension >= shape.length) {
            throw new IndexOutOfBoundsException("dimension " + dimension + " in a view of rank " + shape.length);
        }
        if (start < 0 || length < 0 || start > shape[dimension] - length) {
            throw new IndexOutOfBoundsException(
                    (length == 1 ? "index " + start : "range " + start + ":" + (start + length)) + " in dimension "
                            + dimension + " of length " + shape[dimension]);
        }
    }

    /**
     * Checks the position of an element of the result.
     *
     * @throws IndexOutOfBoundsException if it has another rank, or lies outside
     */
    public void check(long[] point) {
        long[] shape = shape();
        boolean inside = point.length == shape.length;
        for (int d = 0; inside && d < shape.length; d++) {
            inside = point[d] >= 0 && point[d] < shape[d];
        }
        if (!inside) {
            throw new IndexOutOfBoundsException(
                    "point " + Arrays.toString(point) + " in a view of shape " + Arrays.toString(shape));
        }
    }

    /** Returns the selection of these positions in dimension {@code i} of the result. */
    public Selection with(int i, AxisSelection positions) {
        List<AxisSelection> changed = new ArrayList<>(axes);
        changed.set(resultDimensions[i], axes.get(resultDimensions[i]).select(positions));
        return new Selection(changed, resultDimensions);
    }

    /** Returns the selection of one position in dimension {@code i} of the result, without that dimension. */
    public Selection at(int i, long position) {
        int[] remaining = IntStream.range(0, resultDimensions.length)
                .filter(k -> k != i)
                .map(k -> resultDimensions[k])
                .toArray();
        return new Selection(with(i, new AxisSelection.Steps(position, 1, 1)).axes, remaining);
    }

    /** Returns the position in the array of an element of the result. */
    public long[] point(long... position) {
        long[] point = new long[axes.size()];
        // The dimensions that the result leaves out have one index. The others are set below.
        for (int d = 0; d < point.length; d++) {
            point[d] = axes.get(d).count() == 1 ? axes.get(d).index(0) : 0;
        }
        for (int i = 0; i < resultDimensions.length; i++) {
            point[resultDimensions[i]] = axes.get(resultDimensions[i]).index(position[i]);
        }
        return point;
    }

    /** Returns whether no element is selected. */
    public boolean isEmpty() {
        return axes.stream().anyMatch(axis -> axis.count() == 0);
    }

    /** Returns the smallest box of the array that contains the selected elements; there must be some. */
    public Box bounds() {
        long[] origin = new long[axes.size()];
        long[] shape = new long[axes.size()];
        for (int d = 0; d < origin.length; d++) {
            AxisRuns runs = AxisRuns.of(axes.get(d), AxisRuns.Repeats.ALL);
            origin[d] = runs.run(0).first();
            shape[d] = runs.run(runs.count() - 1).last() + 1 - origin[d];
        }
        return Box.of(origin, shape);
    }

    private ResultPositions positions(AxisRuns.Repeats repeats) {
        return new ResultPositions(
                axes.stream().map(axis -> AxisRuns.of(axis, repeats)).toList(), resultDimensions);
    }

    /** Divides a read into boxes, so that each tile in a box has selected elements. */
    public ReadDivision division(Tiling tiling) {
        Segments[] segments = new Segments[axes.size()];
        Arrays.setAll(segments, d -> segments(d, tiling));
        long[] counts = Arrays.stream(segments).mapToLong(Segments::count).toArray();
        ResultPositions positions = positions(AxisRuns.Repeats.ALL);
        return new ReadDivision() {
            @Override
            public long count() {
                return Shapes.count(counts);
            }

            @Override
            public Box box(long i) {
                return Segments.box(segments, Shapes.unravel(i, counts));
            }

            @Override
            public Target target(long i, Target result) {
                return new SelectedTarget(result, positions).window(box(i));
            }
        };
    }

    /** Returns the intervals of dimension {@code d} of the array that contain the selected indices. */
    public Segments segments(int d, Tiling tiling) {
        return Segments.of(AxisRuns.of(axes.get(d), AxisRuns.Repeats.ALL), tiling, d);
    }

    /**
     * Returns a feed of the array's elements, with holes where nothing is selected. If an index is selected twice, the
     * feed supplies the last of its elements.
     *
     * @param values supplies the elements; it has the shape of the result
     */
    public Feed feed(Feed values) {
        Coverage coverage = values.coverage(Box.of(shape()));
        return new SelectedFeed(values, positions(AxisRuns.Repeats.LAST), coverage);
    }
}
