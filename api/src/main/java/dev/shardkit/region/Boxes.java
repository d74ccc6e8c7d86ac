package dev.shardkit.region;

import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.List;

/** Arithmetic of boxes that one {@link Box} cannot hold. Without state, so thread-safe. */
public final class Boxes {
    private Boxes() {}

    /** How many elements, or cells, {@code box} has; 2^63-1 if there are so many or more. */
    public static long count(Box box) {
        long count = box.isEmpty() ? 0 : 1;
        for (int d = 0; count > 0 && d < box.rank(); d++) {
            count = product(count, box.shape(d));
        }
        return count;
    }

    /** The product of two numbers of at least zero; 2^63-1 if it is that or more. */
    public static long product(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }

    /** What {@code box} has beyond {@code hole}, as boxes that share nothing; at most two for each dimension. */
    public static List<Box> minus(Box box, Box hole) {
        Box common = box.intersect(hole);
        if (common.isEmpty()) {
            return box.isEmpty() ? List.of() : List.of(box);
        }
        List<Box> rest = new ArrayList<>();
        long[] origin = box.origin();
        long[] shape = box.shape();
        for (int d = 0; d < shape.length; d++) {
            if (common.origin(d) > box.origin(d)) {
                rest.add(cut(origin, shape, d, box.origin(d), common.origin(d)));
            }
            if (common.end(d) < box.end(d)) {
                rest.add(cut(origin, shape, d, common.end(d), box.end(d)));
            }
            origin[d] = common.origin(d);
            shape[d] = common.shape(d);
        }
        return rest;
    }

    /** The smallest box around two that are not empty; an empty one has no part in it. */
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

    /** The box of {@code shape} at {@code origin}, in dimension {@code d} from {@code from} to {@code to}. */
    public static Box cut(long[] origin, long[] shape, int d, long from, long to) {
        long[] o = origin.clone();
        long[] s = shape.clone();
        o[d] = from;
        s[d] = to - from;
        return Box.of(o, s);
    }

    /** As {@link #cut(long[], long[], int, long, long)}, of a box. */
    public static Box cut(Box box, int d, long from, long to) {
        return cut(box.origin(), box.shape(), d, from, to);
    }
}
