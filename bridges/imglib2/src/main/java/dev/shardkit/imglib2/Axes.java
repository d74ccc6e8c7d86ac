package dev.shardkit.imglib2;

import dev.shardkit.spi.array.Box;

/** Converts the order of dimensions: in ImgLib2 the first dimension varies fastest, in Zarr the last. */
final class Axes {
    private Axes() {}

    /** Returns the values in reverse order. */
    static long[] reversed(long[] values) {
        long[] reversed = new long[values.length];
        for (int d = 0; d < values.length; d++) {
            reversed[d] = values[values.length - 1 - d];
        }
        return reversed;
    }

    /** Returns the box of the array that holds the pixels of a cell with this minimum and size in ImgLib2's order. */
    static Box box(long[] min, int[] size) {
        long[] shape = new long[size.length];
        for (int d = 0; d < size.length; d++) {
            shape[d] = size[size.length - 1 - d];
        }
        return Box.of(reversed(min), shape);
    }
}
