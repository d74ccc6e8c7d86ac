package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.Box;

/**
 * Divides a part of a chunk in C order along its first dimensions into slabs. One byte range reads each slab from its
 * first to its last element. Immutable.
 *
 * @param part the part of the chunk
 * @param strides the strides of the chunk, in elements
 * @param depth the number of leading dimensions that are divided index by index
 */
record RangeSlabs(Box part, long[] strides, int depth) {
    /** The cost of a range in addition to its bytes, in bytes. */
    private static final long RANGE = 16 << 10;

    /** Returns the cheapest division: few ranges, and few unneeded bytes between the elements. */
    static RangeSlabs of(Box part, long[] strides, long elementSize) {
        RangeSlabs best = new RangeSlabs(part, strides, 0);
        if (best.span() == part.count()) {
            return best; // without gaps, one range is best
        }
        for (int depth = 1; depth < strides.length; depth++) {
            RangeSlabs next = new RangeSlabs(part, strides, depth);
            best = next.cost(elementSize) < best.cost(elementSize) ? next : best;
        }
        return best;
    }

    private double cost(long elementSize) {
        return (double) count() * (RANGE + span() * elementSize);
    }

    /** Returns the number of slabs. */
    long count() {
        long count = 1;
        for (int d = 0; d < depth; d++) {
            count *= part.shape(d);
        }
        return count;
    }

    /** Returns the number of elements that a slab spans, needed or not. */
    long span() {
        long last = 0;
        for (int d = depth; d < part.rank(); d++) {
            last += (part.shape(d) - 1) * strides[d];
        }
        return last + 1;
    }

    /** Returns slab {@code i} as a box in the part. */
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

    /** Returns the linear index of the first element of {@code slab} in the chunk. */
    long first(Box slab) {
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += (part.origin(d) + slab.origin(d)) * strides[d];
        }
        return first;
    }
}
