package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.spi.array.Box;

/** Estimates the memory of decoded shard indexes. Stateless. */
public final class IndexMemoryEstimate {
    private static final int ENTRY_BYTES = 16;
    private static final int OTHER_BYTES = 1024;
    private static final long MAX_CELLS = 1 << 16;

    private IndexMemoryEstimate() {}

    /**
     * Returns the cache size for the two largest shard indexes of an array: a shard's index is then kept while another
     * index is read. 0 without shards.
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
        boolean empty = Box.of(grid).isEmpty();
        if (empty || array.metadata().chunkGrid().name().equals("regular")) {
            return length;
        }
        long[] cell = new long[grid.length];
        for (; cell[d] < Math.min(grid[d], MAX_CELLS); cell[d]++) {
            length = Math.max(length, ArrayInternals.of(array).box(cell).shape(d));
        }
        return length;
    }
}
