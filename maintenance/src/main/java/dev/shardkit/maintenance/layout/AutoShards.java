package dev.shardkit.maintenance.layout;

import java.util.Arrays;

/** Chooses shards of 10 to 100 MiB by the rule of {@link ShardLayout.Automatic}. Stateless. */
final class AutoShards {
    private static final double AIM = 32 << 20;
    private static final double MAX = 100 << 20;
    private static final long MAX_CHUNKS = 1 << 18;
    /** So that an index has at most 64 KiB, and a shard of tiny chunks does not make a sparse array dense. */
    private static final long MAX_NEW_CHUNKS = 1 << 12;

    private AutoShards() {}

    /** Returns the shape of shards for a new array with inner chunks of {@code bytes}. */
    static long[] shape(long[] shape, long[] chunk, double bytes) {
        return times(counts(grid(shape, chunk), bytes, AIM, MAX, MAX_NEW_CHUNKS), chunk);
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
        return counts(grid, size, AIM, MAX, MAX_CHUNKS);
    }

    /**
     * Doubles the counts in turn, the smallest and last first, until {@code aim} bytes are reached.
     *
     * @param grid the largest counts
     * @param size the mean size of a unit in bytes
     * @param most the limit of the bytes
     * @param maxUnits the limit of the number of units
     */
    static long[] counts(long[] grid, double size, double aim, double most, double maxUnits) {
        long[] counts = new long[grid.length];
        Arrays.fill(counts, 1);
        double bytes = size;
        double all = 1;
        while (bytes < aim) {
            int least = -1;
            for (int d = grid.length - 1; d >= 0; d--) {
                least = counts[d] < grid[d] && (least < 0 || counts[d] < counts[least]) ? d : least;
            }
            if (least < 0) {
                return counts;
            }
            long more = Math.min(grid[least], 2 * counts[least]);
            double factor = (double) more / counts[least];
            if (bytes * factor > most || all * factor > maxUnits) {
                return counts;
            }
            counts[least] = more;
            bytes *= factor;
            all *= factor;
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
