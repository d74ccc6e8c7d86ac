package dev.shardkit.region.box;

import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.List;

/** Counts, subtracts, joins and cuts boxes. Stateless, thread-safe. */
public final class Boxes {
    private Boxes() {}

    /** Returns the number of elements, or cells, of {@code box}; at most 2^63-1. */
    public static long count(Box box) {
        long count = box.isEmpty() ? 0 : 1;
        for (int d = 0; count > 0 && d < box.rank(); d++) {
            count = product(count, box.shape(d));
        }
        return count;
    }

    /** Returns the product of two nonnegative numbers; at most 2^63-1. */
    public static long product(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }

    /** Returns the sum of two nonnegative numbers; at most 2^63-1. */
    public static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Returns {@code box} without {@code hole} as disjoint boxes, at most two per dimension. */
    public static List<Box> minus(Box box, Box hole) {
        Box common = box.intersect(hole);
        if (common.isEmpty()) {
            return box.isEmpty() ? List.of() : List.of(box);
        }
        List<Box> remainder = new ArrayList<>();
        long[] origin = box.origin();
        long[] shape = box.shape();
        // In each dimension, cuts off the boxes before and after the hole, and continues with the box between them.
        for (int d = 0; d < shape.length; d++) {
            if (common.origin(d) > box.origin(d)) {
                remainder.add(cut(origin, shape, d, box.origin(d), common.origin(d)));
            }
            if (common.end(d) < box.end(d)) {
                remainder.add(cut(origin, shape, d, common.end(d), box.end(d)));
            }
            origin[d] = common.origin(d);
            shape[d] = common.shape(d);
        }
        return remainder;
    }

    /** Returns the smallest box around two boxes, one of which may be empty. */
    public static Box around(Box a, Box b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isEmpty() ? b : a;
        }
        long[] origin = a.origin();
        long[] shape = a.shape();
        for (int d = 0; d < origin.length; d++) {
            origin[d] = Math.min(a.origin(d), b.origin(d));
            shape[d] = Math.max(a.end(d), b.end(d)) - origin[d];
        }
        return Box.of(origin, shape);
    }

    /** Returns the box of {@code shape} at {@code origin}, from {@code begin} to {@code end} in dimension {@code d}. */
    public static Box cut(long[] origin, long[] shape, int d, long begin, long end) {
        long[] cutOrigin = origin.clone();
        long[] cutShape = shape.clone();
        cutOrigin[d] = begin;
        cutShape[d] = end - begin;
        return Box.of(cutOrigin, cutShape);
    }

    /**
     * Returns the box that reaches from {@code begin} to {@code end} in dimension {@code d}, and is like {@code box} in
     * all others. For example, {@code cut(box, d, 0, 1)} is the cross section of {@code box} at index 0.
     */
    public static Box cut(Box box, int d, long begin, long end) {
        return cut(box.origin(), box.shape(), d, begin, end);
    }
}
