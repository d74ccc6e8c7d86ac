package dev.shardkit.cf;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A k-d tree of points in space, which finds the point nearest to a target. {@link GridPoints} uses it. Points with a
 * coordinate that is not finite are left out. Immutable.
 */
final class PointTree {
    private static final int AXES = 3;

    private final double[][] axes;
    /**
     * The points in the order of the tree. The point in the middle of a range splits the range by one axis: the points
     * before it are not greater, the points behind it not less. Both halves are split by the next axis.
     */
    private final int[] points;

    /**
     * Creates a tree.
     *
     * @param axes the coordinates x, y and z of all points
     */
    PointTree(double[]... axes) {
        this.axes = axes;
        this.points = IntStream.range(0, axes[0].length)
                .filter(i -> Double.isFinite(axes[0][i]) && Double.isFinite(axes[1][i]) && Double.isFinite(axes[2][i]))
                .toArray();
        split(0, points.length, 0, new SplittableRandom(1));
    }

    /** Orders the points of a range, from one axis on. */
    private void split(int from, int to, int axis, SplittableRandom random) {
        if (to - from < 2) {
            return;
        }
        int middle = from + to >>> 1;
        select(from, to - 1, middle, axes[axis], random);
        split(from, middle, (axis + 1) % AXES, random);
        split(middle + 1, to, (axis + 1) % AXES, random);
    }

    /**
     * Moves the points of a range so that the points before {@code middle} are not greater, and the points behind it
     * not less, than the point at {@code middle} (quickselect).
     */
    private void select(int first, int last, int middle, double[] values, SplittableRandom random) {
        int low = first;
        int high = last;
        while (low < high) {
            double pivot = values[points[random.nextInt(low, high + 1)]];
            int i = low;
            int j = high;
            while (i <= j) {
                while (values[points[i]] < pivot) {
                    i++;
                }
                while (values[points[j]] > pivot) {
                    j--;
                }
                if (i <= j) {
                    int swapped = points[i];
                    points[i++] = points[j];
                    points[j--] = swapped;
                }
            }
            if (middle <= j) {
                high = j;
            } else if (middle >= i) {
                low = i;
            } else {
                return;
            }
        }
    }

    /**
     * Returns the number of the nearest point; the least number if several are equally near; -1 if there are no points.
     */
    int nearest(double... target) {
        Nearest nearest = new Nearest(target);
        nearest.search(0, points.length, 0);
        return nearest.point;
    }

    /** A search for the point nearest to a target. */
    private final class Nearest {
        private final double[] target;
        private int point = -1;
        private double minSquare = Double.POSITIVE_INFINITY;

        Nearest(double[] target) {
            this.target = target;
        }

        void search(int from, int to, int axis) {
            if (from >= to) {
                return;
            }
            int middle = from + to >>> 1;
            int candidate = points[middle];
            double square = 0;
            for (int a = 0; a < AXES; a++) {
                double difference = axes[a][candidate] - target[a];
                square += difference * difference;
            }
            if (square < minSquare || square == minSquare && candidate < point) {
                minSquare = square;
                point = candidate;
            }
            double distanceToPlane = target[axis] - axes[axis][candidate];
            int next = (axis + 1) % AXES;
            boolean isLess = distanceToPlane < 0;
            search(isLess ? from : middle + 1, isLess ? middle : to, next);
            // The other half can only have a nearer point if its plane is near enough.
            if (distanceToPlane * distanceToPlane <= minSquare) {
                search(isLess ? middle + 1 : from, isLess ? to : middle, next);
            }
        }
    }
}
