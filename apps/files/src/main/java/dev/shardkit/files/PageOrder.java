package dev.shardkit.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The order in which the pages of a file fill the first dimensions of an array. Immutable.
 *
 * @param axes the dimensions in the order of the array
 */
record PageOrder(List<Axis> axes) {
    /** The order of an array's dimensions before height and width: time, channel, depth. */
    private static final String ARRAY_ORDER = "tcz";

    /**
     * A dimension.
     *
     * @param name the name in the array
     * @param length the length
     * @param stride how many pages of the file lie between an index of this dimension and the next index
     */
    record Axis(String name, long length, long stride) {}

    /**
     * Creates an order in which the pages follow one another in C order of the dimensions.
     *
     * @param dimensions the dimensions of the pages, the slowest first
     * @return the order; empty if the product of the lengths is not {@code pages}
     */
    static Optional<PageOrder> create(List<PageDimension> dimensions, long pages) {
        List<Axis> axes = new ArrayList<>();
        long stride = 1;
        for (int d = dimensions.size() - 1; d >= 0; d--) {
            PageDimension dimension = dimensions.get(d);
            // The lengths come from the file, so their product may overflow. This division does not.
            if (dimension.length() > pages / stride) {
                return Optional.empty();
            }
            axes.add(0, new Axis(dimension.name(), dimension.length(), stride));
            stride *= dimension.length();
        }
        return stride == pages ? Optional.of(new PageOrder(List.copyOf(axes))) : Optional.empty();
    }

    /** Returns this order for an array with the dimensions t, c, z, without those of length 1. */
    PageOrder inArrayOrder() {
        return new PageOrder(axes.stream()
                .filter(axis -> axis.length() > 1)
                .sorted(Comparator.comparingInt(axis -> ARRAY_ORDER.indexOf(axis.name())))
                .toList());
    }

    /** Returns the page that fills an index of the array. Ignores the indices within a page. */
    int pageAt(long[] index) {
        long page = 0;
        for (int d = 0; d < axes.size(); d++) {
            page += index[d] * axes.get(d).stride();
        }
        return Math.toIntExact(page);
    }

    /** Returns dimensions as text, such as {@code t=3,c=2}. */
    static String toText(List<PageDimension> dimensions) {
        return dimensions.stream().map(d -> d.name() + "=" + d.length()).collect(Collectors.joining(","));
    }
}
