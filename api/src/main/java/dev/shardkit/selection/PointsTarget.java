package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/**
 * Passes the elements of an array at some points to a target with one element for each point.
 *
 * @param members the numbers of the points, ordered by coordinates
 */
record PointsTarget(Target result, long[][] points, int[] members) implements Target {
    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {
        long[] stride = {0};
        SortedPoints.each(points, members, at, i -> {
            long index = offset;
            for (int d = 0; d < strides.length; d++) {
                index += (points[i][d] - at.origin(d)) * strides[d];
            }
            result.put(from, index, stride, SortedPoints.place(i));
        });
    }

    @Override
    public void fill(FillValue value, Box at) {
        SortedPoints.each(points, members, at, i -> result.fill(value, SortedPoints.place(i)));
    }
}
