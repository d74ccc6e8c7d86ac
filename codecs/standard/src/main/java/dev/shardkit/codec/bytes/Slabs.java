package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;

/**
 * A part of a chunk in C order cut along its first dimensions into slabs, each of which is read by one byte range from
 * its first element to its last. Immutable.
 *
 * @param part the part
 * @param strides the chunk's, in elements
 * @param depth along how many dimensions it is cut, index by index
 */
record Slabs(Box part, long[] strides, int depth) {
    /** What a range costs beside its bytes, in bytes. */
    private static final long RANGE = 16 << 10;

    /** The cheapest cut: few ranges, and few bytes between the elements that are wanted. */
    static Slabs of(Box part, long[] shape, long elementSize) {
        long[] strides = Shapes.strides(shape);
        Slabs best = new Slabs(part, strides, 0);
        for (int depth = 1; depth < shape.length; depth++) {
            Slabs next = new Slabs(part, strides, depth);
            best = next.cost(elementSize) < best.cost(elementSize) ? next : best;
        }
        return best;
    }

    private double cost(long elementSize) {
        return (double) count() * (RANGE + span() * elementSize);
    }

    /** How many slabs there are. */
    long count() {
        long count = 1;
        for (int d = 0; d < depth; d++) {
            count *= part.shape(d);
        }
        return count;
    }

    /** How many elements a slab spans, wanted or not. */
    long span() {
        long last = 0;
        for (int d = depth; d < part.rank(); d++) {
            last += (part.shape(d) - 1) * strides[d];
        }
        return last + 1;
    }

    /** Slab {@code i} as a box in the part. */
    Box slab(long i) {
        long[] origin = new long[part.rank()];
        long[] shape = part.shape();
        long left = i;
        for (int d = depth - 1; d >= 0; d--) {
            origin[d] = left % part.shape(d);
            left /= part.shape(d);
            shape[d] = 1;
        }
        return Box.of(origin, shape);
    }

    /** The number of the first element of {@code slab} in the chunk. */
    long first(Box slab) {
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += (part.origin(d) + slab.origin(d)) * strides[d];
        }
        return first;
    }
}
