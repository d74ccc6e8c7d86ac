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
    /** The order of an array's dimensions. */
    private static final String ARRAY_ORDER = "tcz";

    /**
     * A dimension.
     *
     * @param name the name in the array
     * @param length the length
     * @param stride the distance of neighbours along the dimension, in pages of the file
     */
    record Axis(String name, long length, long stride) {}

    /**
     * Creates an order for pages whose dimensions are in the order of the array.
     *
     * @param dimensions the dimensions of the pages, the slowest first
     * @return empty if the lengths do not multiply to {@code pages}
     */
    static Optional<PageOrder> create(List<PageDimension> dimensions, long pages) {
        List<Axis> axes = new ArrayList<>();
        long stride = 1;
        for (int d = dimensions.size() - 1; d >= 0; d--) {
            PageDimension dimension = dimensions.get(d);
            // lengths come from the file, so the product may overflow
            if (dimension.length() > pages / stride) {
                return Optional.empty();
            }
            axes.add(0, new Axis(dimension.name(), dimension.length(), stride));
            stride *= dimension.length();
        }
        return stride == pages ? Optional.of(new PageOrder(List.copyOf(axes))) : Optional.empty();
    }

    /** Returns the same pages in the order t, c, z, without dimensions of length 1. */
    PageOrder inArrayOrder() {
        return new PageOrder(axes.stream()
                .filter(axis -> axis.length() > 1)
                .sorted(Comparator.comparingInt(axis -> ARRAY_ORDER.indexOf(axis.name())))
                .toList());
    }

    /** Returns the page at an index of the array. Ignores further dimensions of the index. */
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
