package dev.shardkit.maintenance.layout;

import java.util.Arrays;

/** Chooses the shape of shards, which have 10 to 100 MiB, by the rule of {@link ShardLayout.Automatic}. Stateless. */
final class AutoShards {
    private static final double TARGET_BYTES = 32 << 20;
    private static final double MAX_BYTES = 100 << 20;
    private static final long MAX_CHUNKS = 1 << 18;
    /**
     * The largest number of inner chunks of a shard in a new array. It limits the index to 64 KiB. The stored size of
     * the chunks is unknown yet: if most of them turn out to be absent, shards with many chunks would be nearly empty.
     */
    private static final long MAX_NEW_CHUNKS = 1 << 12;

    private AutoShards() {}

    /** Returns the shape of shards for a new array with inner chunks of {@code bytes}. */
    static long[] shape(long[] shape, long[] chunk, double bytes) {
        return times(counts(grid(shape, chunk), bytes, TARGET_BYTES, MAX_BYTES, MAX_NEW_CHUNKS), chunk);
    }

    /** Returns the number of inner chunks of an array in each dimension, at least 1. */
    private static long[] grid(long[] shape, long[] chunk) {
        long[] grid = new long[chunk.length];
        for (int d = 0; d < grid.length; d++) {
            grid[d] = Math.max(1, (shape[d] - 1) / chunk[d] + 1);
        }
        return grid;
    }

    /**
     * Returns the number of inner chunks per shard in each dimension, for an array whose chunks are stored already.
     *
     * @param grid the number of inner chunks of the array in each dimension
     * @param size the mean size of an inner chunk in bytes
     */
    static long[] counts(long[] grid, double size) {
        return counts(grid, size, TARGET_BYTES, MAX_BYTES, MAX_CHUNKS);
    }

    /**
     * Returns the number of units in each dimension of a block. Starts with one unit, and doubles the smallest count
     * (the last of several) until the block has {@code targetBytes} or a limit would be exceeded.
     *
     * @param grid the largest count in each dimension
     * @param size the mean size of a unit in bytes
     * @param maxBytes the largest size of a block
     * @param maxUnits the largest number of units in a block
     */
    static long[] counts(long[] grid, double size, double targetBytes, double maxBytes, double maxUnits) {
        long[] counts = new long[grid.length];
        Arrays.fill(counts, 1);
        double bytes = size;
        double units = 1;
        while (bytes < targetBytes) {
            int smallest = -1;
            for (int d = grid.length - 1; d >= 0; d--) {
                smallest = counts[d] < grid[d] && (smallest < 0 || counts[d] < counts[smallest]) ? d : smallest;
            }
            if (smallest < 0) {
                return counts;
            }
            long more = Math.min(grid[smallest], 2 * counts[smallest]);
            double factor = (double) more / counts[smallest];
            if (bytes * factor > maxBytes || units * factor > maxUnits) {
                return counts;
            }
            counts[smallest] = more;
            bytes *= factor;
            units *= factor;
        }
        return counts;
    }

    /** Returns the shape of a shard with this number of chunks in each dimension. */
    private static long[] times(long[] counts, long[] chunk) {
        long[] shape = new long[chunk.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.multiplyExact(counts[d], chunk[d]);
        }
        return shape;
    }
}
