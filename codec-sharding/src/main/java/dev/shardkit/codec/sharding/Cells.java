package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.MetadataException;
import java.util.Arrays;

/** How a shard is cut: a grid of equal inner chunks, numbered in C order. Immutable. */
final class Cells {
    private final long[] innerShape;
    private final long[] counts;

    private Cells(long[] innerShape, long[] counts) {
        this.innerShape = innerShape;
        this.counts = counts;
    }

    /**
     * The grid of inner chunks of {@code inner} in a shard of {@code shard}.
     *
     * @throws MetadataException if there is none
     */
    static Cells of(long[] shard, long[] inner) {
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
        return new Cells(inner.clone(), counts);
    }

    /** What the shard could be instead. */
    private static String nearest(long shard, long inner) {
        if (inner <= 0 || shard <= 0 || shard > Long.MAX_VALUE - inner) {
            return "";
        }
        long below = shard / inner * inner;
        return " (the nearest shards are " + (below > 0 ? below + " and " : "") + (below + inner) + ")";
    }

    /** The shape of an inner chunk. */
    long[] innerShape() {
        return innerShape.clone();
    }

    /** How many inner chunks there are in each dimension. */
    long[] counts() {
        return counts.clone();
    }

    /** The cells that {@code part}, which is not empty, touches. Their C order is that of the numbers. */
    Box touched(Box part) {
        long[] first = new long[counts.length];
        long[] shape = new long[counts.length];
        for (int d = 0; d < first.length; d++) {
            first[d] = part.origin(d) / innerShape[d];
            shape[d] = (part.end(d) - 1) / innerShape[d] + 1 - first[d];
        }
        return Box.of(first, shape);
    }

    /** Where the inner chunk at {@code cell} lies in the shard. */
    Box box(long[] cell) {
        long[] origin = new long[cell.length];
        for (int d = 0; d < origin.length; d++) {
            origin[d] = cell[d] * innerShape[d];
        }
        return Box.of(origin, innerShape);
    }

    /** The number of the inner chunk at {@code cell}. */
    long number(long[] cell) {
        return Shapes.ravel(cell, counts);
    }

    /** The cell of inner chunk {@code number}. */
    long[] cell(long number) {
        return Shapes.unravel(number, counts);
    }

    /** Refuses coordinates of no inner chunk. */
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

    /** What {@code part} of the shard and the inner chunk at {@code cell}, which it touches, have in common. */
    Cut cut(Box part, long[] cell) {
        Box chunk = box(cell);
        Box common = part.intersect(chunk);
        return new Cut(common.relativeTo(chunk.origin()), common.relativeTo(part.origin()));
    }

    /**
     * What {@code part} has in common with {@code count} inner chunks side by side in the last dimension, as seen from
     * it.
     */
    Box run(Box part, long[] first, long count) {
        long[] shape = innerShape.clone();
        if (shape.length > 0) {
            shape[shape.length - 1] *= count;
        }
        return part.intersect(Box.of(box(first).origin(), shape)).relativeTo(part.origin());
    }

    /**
     * A box of elements, seen twice.
     *
     * @param inChunk where it lies in the inner chunk
     * @param inPart where it lies in the part of the shard that is read or written
     */
    record Cut(Box inChunk, Box inPart) {}
}
