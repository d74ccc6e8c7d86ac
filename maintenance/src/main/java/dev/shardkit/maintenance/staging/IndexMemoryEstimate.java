package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.spi.array.Box;

/** Estimates the memory of decoded shard indexes in a cache. Stateless. */
public final class IndexMemoryEstimate {
    /** The bytes of an index entry: offset and length. */
    private static final int ENTRY_BYTES = 16;
    /** An upper bound for the overhead of a cached index. */
    private static final int OTHER_BYTES = 1024;
    /** The largest number of shards in a dimension whose lengths are compared, if the grid is not regular. */
    private static final long MAX_CELLS = 1 << 16;

    private IndexMemoryEstimate() {}

    /**
     * Returns the cache size in bytes for the two largest shard indexes of an array, so that the index of a shard stays
     * cached while another index is read. Returns 0 for an array without shards.
     */
    public static long cacheBytesForTwoIndexes(ZarrArray array) {
        if (!array.isSharded()) {
            return 0;
        }
        double entries = 1;
        long[] chunk = array.chunkShape();
        for (int d = 0; d < chunk.length; d++) {
            entries *= Math.ceil((double) longest(array, d) / chunk[d]);
        }
        return (long) Math.min(Long.MAX_VALUE / 4, 2 * (entries * ENTRY_BYTES + OTHER_BYTES));
    }

    /** Returns the length of the longest shard in dimension {@code d}. */
    private static long longest(ZarrArray array, int d) {
        long length = array.storedChunkShape()[d];
        long[] grid = ArrayInternals.of(array).cells();
        boolean isEmpty = Box.of(grid).isEmpty();
        if (isEmpty || array.metadata().chunkGrid().name().equals("regular")) {
            return length;
        }
        long[] cell = new long[grid.length];
        for (; cell[d] < Math.min(grid[d], MAX_CELLS); cell[d]++) {
            length = Math.max(length, ArrayInternals.of(array).box(cell).shape(d));
        }
        return length;
    }
}
