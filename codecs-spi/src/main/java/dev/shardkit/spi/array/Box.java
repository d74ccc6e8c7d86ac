package dev.shardkit.spi.array;

import java.util.Arrays;

/**
 * A box of an n-dimensional index space: an origin and a shape. It describes regions of arrays, chunks, and parts of
 * them. An immutable value.
 */
public final class Box {
    private final long[] origin;
    private final long[] shape;

    private Box(long[] origin, long[] shape) {
        this.origin = origin;
        this.shape = shape;
    }

    /**
     * Creates the box with origin {@code origin} and shape {@code shape}.
     *
     * @throws IllegalArgumentException if the ranks differ, a length is negative or an end is beyond 2^63-1
     */
    public static Box of(long[] origin, long[] shape) {
        checkBox(origin, shape);
        return new Box(origin.clone(), shape.clone());
    }

    private static void checkBox(long[] origin, long[] shape) {
        if (origin.length != shape.length) {
            throw new IllegalArgumentException(
                    "origin " + Arrays.toString(origin) + " and shape " + Arrays.toString(shape) + " differ in rank");
        }
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] < 0 || (origin[d] > 0 && origin[d] + shape[d] < 0)) {
                throw new IllegalArgumentException(
                        "not a box: origin " + Arrays.toString(origin) + ", shape " + Arrays.toString(shape));
            }
        }
    }

    /** Creates the box of {@code shape} with its origin at zero. */
    public static Box of(long[] shape) {
        return of(new long[shape.length], shape);
    }

    /**
     * Returns the box of the cell at {@code cell} in a grid of boxes of {@code shape}. The grid starts at zero.
     *
     * @throws ArithmeticException if the cell starts beyond 2^63-1
     */
    public static Box cell(long[] cell, long[] shape) {
        return Box.of(shape).cell(cell);
    }

    /**
     * Returns the box of the cell at {@code cell} in a grid of boxes of this shape. The grid starts at zero.
     *
     * @throws ArithmeticException if the cell starts beyond 2^63-1
     */
    public Box cell(long[] cell) {
        long[] o = new long[shape.length];
        for (int d = 0; d < o.length; d++) {
            o[d] = Math.multiplyExact(cell[d], shape[d]);
        }
        checkBox(o, shape);
        return new Box(o, shape);
    }

    /** Returns the box of this shape with its origin at zero. */
    public Box atZero() {
        return isZero(origin) ? this : new Box(new long[shape.length], shape);
    }

    private static boolean isZero(long[] offsets) {
        for (long offset : offsets) {
            if (offset != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of dimensions. */
    public int rank() {
        return shape.length;
    }

    /** Returns the first index in dimension {@code d}. */
    public long origin(int d) {
        return origin[d];
    }

    /** Returns the length in dimension {@code d}. */
    public long shape(int d) {
        return shape[d];
    }

    /** Returns the end (exclusive) in dimension {@code d}. */
    public long end(int d) {
        return origin[d] + shape[d];
    }

    /** Returns the first index in each dimension. */
    public long[] origin() {
        return origin.clone();
    }

    /** Returns the length in each dimension. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the shape itself, which must not be changed. */
    long[] lengths() {
        return shape;
    }

    /**
     * Returns the number of elements.
     *
     * @throws ArithmeticException above 2^63-1
     */
    public long count() {
        return Shapes.count(shape);
    }

    /** Returns whether the box has no elements. */
    public boolean isEmpty() {
        for (long s : shape) {
            if (s == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the intersection of both boxes; if they are disjoint, a box without elements. */
    public Box intersect(Box other) {
        long[] o = new long[rank()];
        long[] s = new long[rank()];
        for (int d = 0; d < o.length; d++) {
            o[d] = Math.max(origin[d], other.origin[d]);
            s[d] = Math.max(0, Math.min(end(d), other.end(d)) - o[d]);
        }
        return new Box(o, s);
    }

    /**
     * Returns the box of the cells that this box intersects, in a grid of boxes of {@code shape} that starts at zero.
     * If this box has no elements, the result has none.
     */
    public Box cells(long[] shape) {
        long[] first = new long[rank()];
        long[] count = new long[rank()];
        for (int d = 0; d < first.length; d++) {
            first[d] = origin[d] / shape[d];
            count[d] = this.shape[d] == 0 ? 0 : (end(d) - 1) / shape[d] + 1 - first[d];
        }
        return of(first, count);
    }

    /** Returns whether {@code other} lies entirely within this box. */
    public boolean contains(Box other) {
        for (int d = 0; d < shape.length; d++) {
            if (other.origin[d] < origin[d] || other.end(d) > end(d)) {
                return false;
            }
        }
        return true;
    }

    /** Returns this box relative to the origin of {@code base}. */
    public Box relativeTo(Box base) {
        return relativeTo(base.origin);
    }

    /** Returns this box relative to {@code base}: its origin minus {@code base}. */
    public Box relativeTo(long[] base) {
        if (isZero(base)) {
            return this;
        }
        long[] o = new long[rank()];
        for (int d = 0; d < o.length; d++) {
            o[d] = origin[d] - base[d];
        }
        return new Box(o, shape);
    }

    /** Returns this box moved by the origin of {@code base}; reverses {@link #relativeTo(Box)}. */
    public Box within(Box base) {
        if (isZero(origin) && Arrays.equals(shape, base.shape)) {
            return base; // the moved box equals it
        }
        return translate(base.origin);
    }

    /** Returns this box moved by {@code by}. */
    public Box translate(long[] by) {
        if (isZero(by)) {
            return this;
        }
        long[] o = new long[rank()];
        for (int d = 0; d < o.length; d++) {
            o[d] = Math.addExact(origin[d], by[d]);
        }
        return new Box(o, shape);
    }

    /** Returns the linear index of the first element of this box in an array of {@code shape}, in C order. */
    public long firstIn(long[] shape) {
        return Shapes.ravel(origin, shape);
    }

    /**
     * Returns this box with its dimensions reordered: dimension i of the result is dimension {@code order[i]} of this
     * box.
     */
    public Box permute(int[] order) {
        return new Box(Shapes.permute(origin, order), Shapes.permute(shape, order));
    }

    /** Returns the coordinates of the element with linear index {@code index} within this box, in C order. */
    public long[] at(long index) {
        long[] coordinates = Shapes.unravel(index, shape);
        for (int d = 0; d < coordinates.length; d++) {
            coordinates[d] += origin[d];
        }
        return coordinates;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Box b && Arrays.equals(origin, b.origin) && Arrays.equals(shape, b.shape);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(origin) + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int d = 0; d < shape.length; d++) {
            text.append(d > 0 ? ", " : "").append(origin[d]).append(':').append(end(d));
        }
        return text.append(']').toString();
    }
}
