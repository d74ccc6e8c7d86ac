package dev.shardkit.codec.bytes;

import dev.shardkit.spi.array.Box;

/**
 * Divides a part of a chunk, whose elements are stored in C order, along its first dimensions into slabs. Each slab is
 * read by one byte range, from its first to its last element, with the unneeded bytes between them. Immutable.
 *
 * @param region the part of the chunk
 * @param strides the strides of the chunk, in elements
 * @param depth the number of leading dimensions that are divided index by index
 */
record RangeSlabs(Box region, long[] strides, int depth) {
    /** The fixed cost of a range, expressed as the number of bytes that could be read instead. */
    private static final long RANGE = 16 << 10;

    /** Returns the cheapest division: few ranges, and few unneeded bytes between the elements. */
    static RangeSlabs of(Box region, long[] strides, long elementSize) {
        RangeSlabs best = new RangeSlabs(region, strides, 0);
        if (best.span() == region.count()) {
            return best; // without gaps, one range is best
        }
        for (int depth = 1; depth < strides.length; depth++) {
            RangeSlabs next = new RangeSlabs(region, strides, depth);
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
            count *= region.shape(d);
        }
        return count;
    }

    /** Returns the number of elements that a slab spans, needed or not. */
    long span() {
        long last = 0;
        for (int d = depth; d < region.rank(); d++) {
            last += (region.shape(d) - 1) * strides[d];
        }
        return last + 1;
    }

    /** Returns slab {@code i} as a box in the part. */
    Box slab(long i) {
        long[] origin = new long[region.rank()];
        long[] shape = region.shape();
        long remaining = i;
        for (int d = depth - 1; d >= 0; d--) {
            origin[d] = remaining % region.shape(d);
            remaining /= region.shape(d);
            shape[d] = 1;
        }
        return Box.of(origin, shape);
    }

    /** Returns the linear index of the first element of {@code slab} in the chunk. */
    long firstElement(Box slab) {
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += (region.origin(d) + slab.origin(d)) * strides[d];
        }
        return first;
    }
}
