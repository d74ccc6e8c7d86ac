package dev.shardkit.grid.rectilinear;

import dev.shardkit.spi.error.MetadataException;
import java.util.Arrays;
import java.util.Set;

/**
 * One dimension of a {@link RectilinearGrid}: {@link ChunkLengths} bound to an array's length. Finds a chunk by a
 * binary search over the runs of equal chunks that intersect the array. Chunks beyond the array's end are allowed, but
 * are not cells of the grid. Immutable.
 */
final class DimensionEdges {
    private final long[] lengths;
    /** The start of each run, in elements. */
    private final long[] origins;
    /** The index of each run's first chunk. */
    private final long[] firsts;

    private final long cells;

    private DimensionEdges(long[] lengths, long[] origins, long[] firsts, long cells) {
        this.lengths = lengths;
        this.origins = origins;
        this.firsts = firsts;
        this.cells = cells;
    }

    /** Creates the chunks of an array with length {@code arrayLength} in dimension {@code d}. */
    static DimensionEdges of(ChunkLengths edges, long arrayLength, int d) {
        if (edges.isRepeating()) {
            return repeating(edges.length(0), arrayLength, d);
        } else if (edges.sum() < arrayLength) {
            throw new MetadataException("expected chunks that reach the array's end at " + arrayLength
                    + " in dimension " + d + ", found a sum of " + edges.sum());
        }
        long[] lengths = new long[edges.runs()];
        long[] origins = new long[edges.runs()];
        long[] firsts = new long[edges.runs()];
        int runs = 0;
        long origin = 0;
        long cells = 0;
        for (; runs < lengths.length && origin < arrayLength; runs++) {
            lengths[runs] = edges.length(runs);
            origins[runs] = origin;
            firsts[runs] = cells;
            long countInArray = Math.min(edges.count(runs), (arrayLength - origin - 1) / lengths[runs] + 1);
            cells += countInArray;
            origin += countInArray * lengths[runs];
        }
        return new DimensionEdges(
                Arrays.copyOf(lengths, runs), Arrays.copyOf(origins, runs), Arrays.copyOf(firsts, runs), cells);
    }

    private static DimensionEdges repeating(long length, long arrayLength, int d) {
        long cells = arrayLength == 0 ? 0 : (arrayLength - 1) / length + 1;
        if (Math.multiplyHigh(cells, length) != 0 || cells * length < 0) {
            throw new MetadataException("expected whole chunks to end within 2^63-1, found " + cells + " chunks of "
                    + length + " in dimension " + d);
        }
        return new DimensionEdges(new long[] {length}, new long[] {0}, new long[] {0}, cells);
    }

    /** Returns the number of chunks that intersect the array. */
    long cells() {
        return cells;
    }

    /** Returns the chunk that contains {@code index}, which must be in the array. */
    long cellOf(long index) {
        int run = run(origins, index);
        return firsts[run] + (index - origins[run]) / lengths[run];
    }

    /** Returns the start of chunk {@code index}. */
    long origin(long index) {
        int run = run(firsts, index);
        return origins[run] + (index - firsts[run]) * lengths[run];
    }

    /** Returns the length of chunk {@code index}. */
    long length(long index) {
        return lengths[run(firsts, index)];
    }

    /** Adds the lengths that occur to {@code found}, until it contains {@code maximum}. */
    void lengths(Set<Long> found, int maximum) {
        for (int i = 0; i < lengths.length && found.size() < maximum; i++) {
            found.add(lengths[i]);
        }
    }

    /** Returns the last run that starts at or before {@code value}. */
    private static int run(long[] begins, long value) {
        int position = Arrays.binarySearch(begins, value);
        return position >= 0 ? position : -position - 2;
    }
}
