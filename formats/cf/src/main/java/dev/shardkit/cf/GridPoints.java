package dev.shardkit.cf;

import java.util.List;
import java.util.Optional;

/**
 * The points of a curvilinear grid, whose two coordinates (such as latitude and longitude) have two dimensions each.
 * Finds the point nearest to two values. The first search reads the coordinates and builds a tree of the points.
 * Thread-safe.
 */
final class GridPoints {
    private final CfVariable first;
    private final CfVariable second;
    private volatile Optional<PointTree> tree = Optional.empty();

    private GridPoints(CfVariable first, CfVariable second) {
        this.first = first;
        this.second = second;
    }

    /** Returns the points of two coordinates. All selections of the dataset share them. */
    static GridPoints of(CfVariable first, CfVariable second) {
        return first.dataset()
                .grids()
                .computeIfAbsent(List.of(first.name(), second.name()), key -> new GridPoints(first, second));
    }

    /** Returns the index, in C order, of the point that is nearest to two values of the coordinates. */
    int nearest(double a, double b) {
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            throw new IllegalArgumentException("expected two finite numbers, found " + a + " and " + b);
        }
        if (tree.isEmpty()) {
            tree = Optional.of(tree());
        }
        int found = tree.orElseThrow().nearest(position(a, b));
        if (found < 0) {
            throw new IllegalArgumentException(
                    first.location() + ": expected points with two coordinates, found missing ones only");
        }
        return found;
    }

    private PointTree tree() {
        double[] a = first.labels().doubles();
        double[] b = second.labels().doubles();
        double[][] axes = new double[3][a.length];
        for (int i = 0; i < a.length; i++) {
            double[] position = position(a[i], b[i]);
            for (int axis = 0; axis < axes.length; axis++) {
                axes[axis][i] = position[axis];
            }
        }
        return new PointTree(axes);
    }

    /** Returns the position of a point in space: on the unit sphere for latitude and longitude, else in a plane. */
    private double[] position(double a, double b) {
        boolean isLatitudeFirst = is(first, "latitude", "N") && is(second, "longitude", "E");
        boolean isLongitudeFirst = is(first, "longitude", "E") && is(second, "latitude", "N");
        if (!isLatitudeFirst && !isLongitudeFirst) {
            return new double[] {a, b, 0};
        }
        double latitude = Math.toRadians(isLatitudeFirst ? a : b);
        double longitude = Math.toRadians(isLatitudeFirst ? b : a);
        return new double[] {
            Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude)
        };
    }

    /** Returns whether a coordinate is latitude or longitude (sections 4.1 and 4.2). */
    private static boolean is(CfVariable coordinate, String standardName, String direction) {
        return coordinate.standardName().filter(standardName::equals).isPresent()
                || coordinate
                        .units()
                        .filter(units -> units.matches(
                                "degrees?_?" + direction + "|degrees?_" + (direction.equals("N") ? "north" : "east")))
                        .isPresent();
    }
}
