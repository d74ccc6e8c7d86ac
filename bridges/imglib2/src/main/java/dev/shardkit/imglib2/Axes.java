package dev.shardkit.imglib2;

import dev.shardkit.spi.array.Box;

/** The order of dimensions: ImgLib2 counts from the one that varies fastest, Zarr from the one that varies slowest. */
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

    /** Returns the box of an array that an interval of its image is. */
    static Box box(long[] min, int[] size) {
        long[] shape = new long[size.length];
        for (int d = 0; d < size.length; d++) {
            shape[d] = size[size.length - 1 - d];
        }
        return Box.of(reversed(min), shape);
    }
}
