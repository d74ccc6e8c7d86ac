package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import java.util.function.IntConsumer;

/**
 * Finds the points inside a box, among points that the caller has sorted by their coordinates. {@link PointsFeed} and
 * {@link PointsTarget} use it. Stateless.
 */
final class PointSearch {
    private PointSearch() {}

    /** Visits the points in {@code box}. {@code members} are numbers of points, ordered by coordinates. */
    static void each(long[][] points, int[] members, Box box, IntConsumer action) {
        // binary search for the first point that is not before the box in dimension 0
        int begin = 0;
        if (box.rank() > 0) {
            int high = members.length;
            while (begin < high) {
                int middle = (begin + high) >>> 1;
                if (points[members[middle]][0] < box.origin(0)) {
                    begin = middle + 1;
                } else {
                    high = middle;
                }
            }
        }
        for (int i = begin; i < members.length; i++) {
            long[] point = points[members[i]];
            if (point.length > 0 && point[0] >= box.end(0)) {
                return;
            }
            if (contains(box, point)) {
                action.accept(members[i]);
            }
        }
    }

    private static boolean contains(Box box, long[] point) {
        for (int d = 0; d < point.length; d++) {
            if (point[d] < box.origin(d) || point[d] >= box.end(d)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the box of point {@code i} in the result, which has one dimension and one element for each point. */
    static Box resultBox(int i) {
        return Box.of(new long[] {i}, new long[] {1});
    }
}
