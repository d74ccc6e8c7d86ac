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
    public void put(Elements source, long offset, long[] strides, Box box) {
        long[] stride = {0}; // any stride is right for one element
        PointSearch.each(points, members, box, i -> {
            long index = offset;
            for (int d = 0; d < strides.length; d++) {
                index += (points[i][d] - box.origin(d)) * strides[d];
            }
            result.put(source, index, stride, PointSearch.resultBox(i));
        });
    }

    @Override
    public void fill(FillValue value, Box box) {
        PointSearch.each(points, members, box, i -> result.fill(value, PointSearch.resultBox(i)));
    }
}
