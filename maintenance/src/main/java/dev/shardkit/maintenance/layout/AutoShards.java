package dev.shardkit.maintenance.layout;

import java.util.Arrays;

/** Chooses shards of 10 to 100 MiB by the rule of {@link ShardLayout.Automatic}. Stateless. */
final class AutoShards {
    private static final double TARGET_BYTES = 32 << 20;
    private static final double MAX_BYTES = 100 << 20;
    private static final long MAX_CHUNKS = 1 << 18;
    /** Limits an index to 64 KiB, and keeps a sparse array of tiny chunks from getting dense shards. */
    private static final long MAX_NEW_CHUNKS = 1 << 12;

    private AutoShards() {}

    /** Returns the shape of shards for a new array with inner chunks of {@code bytes}. */
    static long[] shape(long[] shape, long[] chunk, double bytes) {
        return times(counts(grid(shape, chunk), bytes, TARGET_BYTES, MAX_BYTES, MAX_NEW_CHUNKS), chunk);
    }

    private static long[] grid(long[] shape, long[] chunk) {
        long[] grid = new long[chunk.length];
        for (int d = 0; d < grid.length; d++) {
            grid[d] = Math.max(1, (shape[d] - 1) / chunk[d] + 1);
        }
        return grid;
    }

    /**
     * Returns the number of inner chunks per shard in each dimension.
     *
     * @param grid the number of inner chunks of the array in each dimension
     * @param size the mean size of an inner chunk in bytes
     */
    static long[] counts(long[] grid, double size) {
        return counts(grid, size, TARGET_BYTES, MAX_BYTES, MAX_CHUNKS);
    }

    /**
     * Doubles the smallest count, of several the last one, until {@code targetBytes} bytes are reached.
     *
     * @param grid the largest counts
     * @param size the mean size of a unit in bytes
     * @param maxBytes the limit of the bytes
     * @param maxUnits the limit of the number of units
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

    private static long[] times(long[] counts, long[] chunk) {
        long[] shape = new long[chunk.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.multiplyExact(counts[d], chunk[d]);
        }
        return shape;
    }
}
