package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.MetadataException;
import java.util.Arrays;

/**
 * The grid of equal inner chunks in a shard. An inner chunk has a cell (its coordinates in the grid) and a number (its
 * position in C order). Immutable.
 */
final class InnerChunkGrid {
    private final long[] innerShape;
    /** The box of inner chunk 0. */
    private final Box first;

    private final long[] counts;

    private InnerChunkGrid(long[] innerShape, long[] counts) {
        this.innerShape = innerShape;
        this.first = Box.of(innerShape);
        this.counts = counts;
    }

    /**
     * Creates the grid of inner chunks of shape {@code inner} in a shard of shape {@code shard}.
     *
     * @throws MetadataException if the inner shape does not divide the shard's shape
     */
    static InnerChunkGrid of(long[] shard, long[] inner) {
        if (shard.length != inner.length) {
            throw new MetadataException(
                    "chunk_shape " + Arrays.toString(inner) + " of sharding_indexed: expected " + shard.length
                            + " dimensions as in the shard " + Arrays.toString(shard) + ", found " + inner.length);
        }
        long[] counts = new long[shard.length];
        for (int d = 0; d < counts.length; d++) {
            if (inner[d] <= 0 || shard[d] <= 0 || shard[d] % inner[d] != 0) {
                throw new MetadataException(
                        "chunk_shape of sharding_indexed, dimension " + d + ": expected a divisor of the" + " shard's "
                                + shard[d] + ", found " + inner[d] + nearest(shard[d], inner[d]));
            }
            counts[d] = shard[d] / inner[d];
        }
        return new InnerChunkGrid(inner.clone(), counts);
    }

    /** Returns a hint with the nearest valid shard lengths, for the message. */
    private static String nearest(long shard, long inner) {
        if (inner <= 0 || shard <= 0 || shard > Long.MAX_VALUE - inner) {
            return "";
        }
        long lower = shard / inner * inner;
        return " (the nearest shards are " + (lower > 0 ? lower + " and " : "") + (lower + inner) + ")";
    }

    /** Returns the shape of an inner chunk. */
    long[] innerShape() {
        return innerShape.clone();
    }

    /** Returns the number of inner chunks in each dimension. */
    long[] counts() {
        return counts.clone();
    }

    /**
     * Returns the box of cells that {@code part}, which must not be empty, intersects. Their C order is the order of
     * their numbers.
     */
    Box touched(Box part) {
        return part.cells(innerShape);
    }

    /** Returns the box of the inner chunk at {@code cell} in the shard. */
    Box box(long[] cell) {
        return first.cell(cell);
    }

    /** Returns the number of the inner chunk at {@code cell}. */
    long number(long[] cell) {
        return Shapes.ravel(cell, counts);
    }

    /** Returns the cell of inner chunk {@code number}. */
    long[] cell(long number) {
        return Shapes.unravel(number, counts);
    }

    /** Rejects coordinates outside the grid. */
    void check(long[] cell) {
        if (cell.length != counts.length || !Box.of(counts).contains(Box.of(cell, ones(cell.length)))) {
            throw new IllegalArgumentException(
                    "no inner chunk " + Arrays.toString(cell) + " in a shard of " + Arrays.toString(counts));
        }
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    /**
     * Returns the intersection of {@code part} of the shard and the inner chunk at {@code cell}, which must intersect.
     */
    Cut cut(Box part, long[] cell) {
        Box chunk = box(cell);
        if (part.contains(chunk)) {
            return new Cut(first, chunk.relativeTo(part));
        }
        Box common = part.intersect(chunk);
        return new Cut(common.relativeTo(chunk), common.relativeTo(part));
    }

    /**
     * Returns the intersection of {@code part} and {@code count} inner chunks that are neighbours in the last
     * dimension, from {@code firstCell} on, in coordinates of the part.
     */
    Box run(Box part, long[] firstCell, long count) {
        long[] shape = innerShape.clone();
        if (shape.length > 0) {
            shape[shape.length - 1] *= count;
        }
        return part.intersect(Box.of(box(firstCell).origin(), shape)).relativeTo(part);
    }

    /**
     * A box of elements in two coordinate systems.
     *
     * @param inChunk the box in coordinates of the inner chunk
     * @param inPart the box in coordinates of the part of the shard that is read or written
     */
    record Cut(Box inChunk, Box inPart) {}
}
