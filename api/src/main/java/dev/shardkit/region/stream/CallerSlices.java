package dev.shardkit.region.stream;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the slices that callers pass in Java arrays and buffers. An array or buffer holds one slice or several, all of
 * one shape. Immutable, but not the groups that it returns.
 */
public final class CallerSlices {
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
    public CallerSlices(DataType type, long[] shape, int dimension) {
        this.type = type;
        this.shape = shape.clone();
        this.dimension = dimension;
        this.length = JavaArrayAdapters.length(type, shape);
    }

    /** Returns the data type of the array. */
    public DataType type() {
        return type;
    }

    /** Consecutive slices in the caller's memory. */
    public abstract static class SliceGroup {
        private final int count;
        /** The number of slices that a stream still uses. */
        private final AtomicInteger used;

        /** The action that tells the owner that the memory is free; null if the stream copies the slices. */
        private @Nullable Runnable released;

        private SliceGroup(int count) {
            this.count = count;
            this.used = new AtomicInteger(count);
        }

        public final int count() {
            return count;
        }

        /** Gives the memory to the stream, which runs {@code action} when it no longer uses it. */
        public final SliceGroup owned(Runnable action) {
            released = action;
            if (count == 0) {
                run(action);
            }
            return this;
        }

        /** Returns whether the stream uses the memory until it is released, in place of a copy. */
        final boolean isOwned() {
            return released != null;
        }

        /** Ends the use of {@code slices} slices. */
        public final void release(int slices) {
            if (slices == 0 || used.addAndGet(-slices) > 0 || released == null) {
                return;
            }
            run(released);
        }

        /** Ends the use of a slice of each group. An error of one owner's action does not keep the others' memory. */
        static void releaseEach(List<SliceGroup> groups) {
            releaseEach(groups, 0);
        }

        private static void releaseEach(List<SliceGroup> groups, int first) {
            int i = first;
            try {
                while (i < groups.size()) {
                    groups.get(i++).release(1);
                }
            } finally {
                if (i < groups.size()) { // an error is being thrown: releases the other groups first
                    releaseEach(groups, i);
                }
            }
        }

        private static void run(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException e) {
                Failures.log(System.Logger.Level.WARNING, "the action after a released slice failed", e);
            }
        }

        /** Returns the elements of slice {@code i}. */
        abstract Feed feed(int i);

        /** Copies slice {@code i} into a Java array: a spare one if there is one. */
        abstract Object copy(int i, Deque<Object> spare);
    }

    /**
     * Slices in one Java array in C order. A slice has {@code rows} runs of consecutive elements there, one for each
     * index in the dimensions before the slices' dimension. The first runs of all slices come first, then the second
     * ones. With a single run, slices lie one after the other.
     */
    private final class ArrayGroup extends SliceGroup {
        private final Object array;
        private final int offset;
        private final int rows;

        private ArrayGroup(Object array, int offset, int count, int rows) {
            super(count);
            this.array = array;
            this.offset = offset;
            this.rows = rows;
        }

        @Override
        Object copy(int i, Deque<Object> spare) {
            int rowLength = length / rows;
            Object copy = spareArray(spare);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(array, offset + (row * count() + i) * rowLength, copy, row * rowLength, rowLength);
            }
            if (copy instanceof byte[][] values) { // the caller may change the arrays of its elements
                Arrays.setAll(values, k -> values[k].clone());
            }
            return copy;
        }

        @Override
        Feed feed(int i) {
            if (rows == 1) {
                return JavaArrayAdapters.feed(type, shape, array, offset + i * length);
            }
            long[] all = shape.clone();
            all[dimension] = count();
            Box slice = Boxes.cut(Box.of(shape), dimension, i, i + 1);
            return JavaArrayAdapters.feed(type, all, array, offset).window(slice);
        }
    }

    private Object spareArray(Deque<Object> spare) {
        return spare.isEmpty() ? JavaArrayAdapters.allocate(type, shape) : spare.pop();
    }

    /** Slices in a buffer, one after the other. */
    private final class BufferGroup extends SliceGroup {
        private final ByteBuffer buffer;
        private final int sliceBytes;

        private BufferGroup(ByteBuffer buffer, int count) {
            super(count);
            this.buffer = buffer.slice().order(buffer.order());
            this.sliceBytes = this.buffer.limit() / count;
        }

        private Elements.Fixed elements(int i) {
            return Elements.Fixed.of(
                    type, buffer.slice(i * sliceBytes, sliceBytes).order(buffer.order()), buffer.order());
        }

        @Override
        Feed feed(int i) {
            Elements.Fixed elements = elements(i);
            long[] strides = Shapes.strides(shape);
            return (part, destination, offset, toStrides) -> ElementCopy.copy(
                    elements, part.firstIn(shape), strides, destination, offset, toStrides, part.shape());
        }

        @Override
        Object copy(int i, Deque<Object> spare) {
            Object copy = spareArray(spare);
            JavaArrayAdapters.target(type, shape, copy, 0).put(elements(i), 0, Shapes.strides(shape), Box.of(shape));
            return copy;
        }
    }

    /** Returns all slices in a buffer, from its position to its limit, in its byte order. */
    public SliceGroup of(ByteBuffer buffer) {
        if (type.number().isEmpty()) {
            throw new UnsupportedException(
                    "data type " + type.name() + ": buffers hold slices of numbers only; pass a Java array");
        }
        long sliceBytes = (long) length * type.carrier().wordSize();
        if (sliceBytes == 0 || buffer.remaining() == 0 || buffer.remaining() % sliceBytes != 0) {
            throw new IllegalArgumentException("expected whole slices: a slice of shape " + Arrays.toString(shape)
                    + " takes " + sliceBytes + " bytes, found a buffer with " + buffer.remaining());
        }
        return new BufferGroup(buffer, (int) (buffer.remaining() / sliceBytes));
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
        JavaArrayAdapters.check(type, found, array, 0);
        int rows = 1; // one for each index of the dimensions before
        for (int d = 0; d < dimension && length > 0; d++) {
            rows *= (int) shape[d];
        }
        return new ArrayGroup(array, 0, count, rows);
    }

    /** Returns all slices in {@code array} from index {@code offset} to its end. */
    public SliceGroup of(Object array, int offset) {
        JavaArrayAdapters.check(type, shape, array, offset);
        int found = Array.getLength(array) - offset;
        if (length == 0 ? found > 0 : found % length != 0) {
            throw new IllegalArgumentException(
                    "expected whole slices: a slice of shape " + Arrays.toString(shape) + " takes "
                            + length + " elements of " + array.getClass().getSimpleName() + ", found " + found
                            + " from index " + offset + "; to write only some of them, pass the number of slices");
        }
        return new ArrayGroup(array, offset, length == 0 ? 1 : found / length, 1);
    }

    /** Returns {@code count} consecutive slices from index {@code offset}. */
    public SliceGroup of(Object array, int offset, int count) {
        JavaArrayAdapters.check(type, shape, array, offset);
        if (count < 1 || count > 1 && (long) count * length > Array.getLength(array) - offset) {
            throw new IllegalArgumentException(count + " slices of " + length + " elements each, found "
                    + (Array.getLength(array) - offset) + " elements from index " + offset);
        }
        return new ArrayGroup(array, offset, count, 1);
    }

    /**
     * Returns the box of a tile in a slice, with length 1 in the dimension.
     *
     * @param tile with length 1 in the dimension, or without the dimension
     */
    public Box tileBox(Box tile) {
        Box part = tile;
        if (tile.rank() == shape.length - 1) {
            long[] origin = new long[shape.length];
            long[] lengths = new long[shape.length];
            for (int d = 0; d < shape.length; d++) {
                int dInTile = d < dimension ? d : d - 1; // the tile lacks the dimension of the stream
                origin[d] = d == dimension ? 0 : tile.origin(dInTile);
                lengths[d] = d == dimension ? 1 : tile.shape(dInTile);
            }
            part = Box.of(origin, lengths);
        }
        if (part.isEmpty() || !Box.of(shape).contains(part)) {
            throw new IndexOutOfBoundsException(
                    "expected a tile that lies in a slice of shape " + Arrays.toString(shape) + ", found " + tile);
        }
        return part;
    }

    /**
     * Returns the elements of a tile in a buffer, from its position to its limit, in its byte order.
     *
     * @param part the box of the tile; see {@link #tileBox}
     */
    public Feed tile(Box part, ByteBuffer buffer) {
        long bytes = TiledSlice.bytes(type, part.shape());
        if (buffer.remaining() != bytes) {
            throw new IllegalArgumentException("expected the " + bytes + " bytes of a tile of shape "
                    + Arrays.toString(part.shape()) + ", found a buffer with " + buffer.remaining());
        }
        return new CallerSlices(type, part.shape(), dimension).of(buffer).feed(0);
    }

    /**
     * Returns the elements of a tile in a Java array, in C order.
     *
     * @param part the box of the tile; see {@link #tileBox}
     */
    public Feed tile(Box part, Object array) {
        TiledSlice.bytes(type, part.shape()); // throws if slices of this type cannot be made of tiles
        JavaArrayAdapters.check(type, part.shape(), array, 0);
        return JavaArrayAdapters.feed(type, part.shape(), array, 0);
    }

    /** Adds the arrays of written slices to the spare arrays, for reuse. */
    public void recycle(Collection<Object> written, Deque<Object> spare) {
        if (!type.carrier().isVariable()) {
            spare.addAll(written);
        }
    }
}
