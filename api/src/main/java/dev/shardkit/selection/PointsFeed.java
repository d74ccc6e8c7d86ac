package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.Arrays;

/**
 * Supplies an array's elements at some points, from a feed with one element for each point. The other elements of the
 * array are holes.
 *
 * @param values element i is that of {@code points[i]}
 * @param points the coordinates of each point in the array
 * @param members indices in {@code points}, ordered by coordinates, with one index for each place in the array
 */
record PointsFeed(Feed values, long[][] points, int[] members) implements Feed {
    /**
     * Returns the feed of points that may be listed more than once. Of equal points, the feed supplies the element of
     * the last one.
     *
     * @param sorted the indices of the points, ordered by coordinates, those of equal points ascending
     */
    static PointsFeed of(Feed values, long[][] points, int[] sorted) {
        int[] members = new int[sorted.length];
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i + 1 == sorted.length || !Arrays.equals(points[sorted[i]], points[sorted[i + 1]])) {
                members[count++] = sorted[i];
            }
        }
        return new PointsFeed(values, points, Arrays.copyOf(members, count));
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        long[] stride = {0}; // any stride is right for one element
        PointSearch.each(points, members, part, i -> {
            long index = offset;
            for (int d = 0; d < strides.length; d++) {
                index += (points[i][d] - part.origin(d)) * strides[d];
            }
            values.get(PointSearch.resultBox(i), destination, index, stride);
        });
    }

    @Override
    public Coverage coverage(Box part) {
        long[] count = {0};
        PointSearch.each(points, members, part, i -> {
            if (values.coverage(PointSearch.resultBox(i)) != Coverage.NONE) {
                count[0]++;
            }
        });
        if (count[0] == 0) {
            return Coverage.NONE;
        }
        return count[0] == part.count() ? Coverage.ALL : Coverage.SOME;
    }
}
