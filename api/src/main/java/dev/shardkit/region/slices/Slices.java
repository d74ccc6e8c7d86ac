package dev.shardkit.region.slices;

import dev.shardkit.carrier.JavaArrayElements;
import dev.shardkit.region.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Feed;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;

/** Copies slices out of Java arrays that hold one slice or several, all of one shape. Immutable. */
public final class Slices {
    private final DataType type;
    private final long[] shape;
    private final int dimension;
    /** The length of a slice in a Java array. */
    private final int length;

    /**
     * Creates slices of {@code shape}.
     *
     * @param shape with length 1 in {@code dimension}
     */
    public Slices(DataType type, long[] shape, int dimension) {
        this.type = type;
        this.shape = shape.clone();
        this.dimension = dimension;
        this.length = JavaArrayElements.length(type, shape);
    }

    /**
     * Consecutive slices in one Java array. Consecutive elements of a slice form a row. The first rows of all slices
     * come first, then the second rows.
     */
    public final class SliceGroup {
        private final Object array;
        private final int offset;
        private final int count;
        private final int rows;

        private SliceGroup(Object array, int offset, int count, int rows) {
            this.array = array;
            this.offset = offset;
            this.count = count;
            this.rows = rows;
        }

        public int count() {
            return count;
        }

        /** Copies slice {@code i}, into a spare array if there is one. */
        public Object copy(int i, Deque<Object> spare) {
            int row = length / rows;
            Object copy = spare.isEmpty() ? JavaArrayElements.allocate(type, shape) : spare.pop();
            for (int r = 0; r < rows; r++) {
                System.arraycopy(array, offset + (r * count + i) * row, copy, r * row, row);
            }
            if (copy instanceof byte[][] values) {
                Arrays.setAll(values, k -> values[k].clone());
            }
            return copy;
        }

        /** Returns the elements of slice {@code i}. */
        public Feed feed(int i) {
            if (rows == 1) {
                return JavaArrayElements.feed(type, shape, array, offset + i * length);
            }
            long[] all = shape.clone();
            all[dimension] = count;
            Box slice = Boxes.cut(Box.of(shape), dimension, i, i + 1);
            return JavaArrayElements.feed(type, all, array, offset).window(slice);
        }
    }

    /** Returns all slices in an array whose shape {@code found} is that of one slice or of several. */
    public SliceGroup of(long[] found, Object array) {
        long[] flatShape = new long[shape.length - 1];
        for (int d = 0; d < flatShape.length; d++) {
            flatShape[d] = shape[d < dimension ? d : d + 1];
        }
        long[] sliceShape = found.clone();
        if (Arrays.equals(found, flatShape)) {
            sliceShape = shape;
        } else if (found.length == shape.length) {
            sliceShape[dimension] = 1;
        }
        if (!Arrays.equals(sliceShape, shape)) {
            throw new IllegalArgumentException("expected a slice of shape " + Arrays.toString(shape)
                    + ", or several slices with their number as the length of dimension " + dimension + ", found "
                    + Arrays.toString(found));
        }
        int count = found.length == shape.length ? (int) Math.min(Integer.MAX_VALUE, found[dimension]) : 1;
        JavaArrayElements.check(type, found, array, 0);
        int rows = 1;
        for (int d = 0; d < dimension && length > 0; d++) {
            rows *= (int) shape[d];
        }
        return new SliceGroup(array, 0, count, rows);
    }

    /** Returns all slices in {@code array} from index {@code offset} to its end. */
    public SliceGroup of(Object array, int offset) {
        JavaArrayElements.check(type, shape, array, offset);
        int found = Array.getLength(array) - offset;
        if (length == 0 ? found > 0 : found % length != 0) {
            throw new IllegalArgumentException(
                    "expected whole slices: a slice of shape " + Arrays.toString(shape) + " takes "
                            + length + " elements of " + array.getClass().getSimpleName() + ", found " + found
                            + " from index " + offset + "; to write only some of them, pass the number of slices");
        }
        return new SliceGroup(array, offset, length == 0 ? 1 : found / length, 1);
    }

    /** Returns {@code count} consecutive slices from index {@code offset}. */
    public SliceGroup of(Object array, int offset, int count) {
        JavaArrayElements.check(type, shape, array, offset);
        if (count < 1 || count > 1 && (long) count * length > Array.getLength(array) - offset) {
            throw new IllegalArgumentException(count + " slices of " + length + " elements each, found "
                    + (Array.getLength(array) - offset) + " elements from index " + offset);
        }
        return new SliceGroup(array, offset, count, 1);
    }

    /** Adds the arrays of written slices to the spare arrays, for reuse. */
    public void recycle(Collection<Object> written, Deque<Object> spare) {
        if (!type.carrier().isVariable()) {
            spare.addAll(written);
        }
    }
}
