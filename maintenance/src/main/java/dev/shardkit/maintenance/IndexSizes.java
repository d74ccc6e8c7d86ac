package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;

/** How large indexes of shards are once they are decoded. Stateless. */
final class IndexSizes {
    private static final int ENTRY_BYTES = 16;
    private static final int OTHER_BYTES = 1024;
    private static final long MOST_CELLS = 1 << 16;

    private IndexSizes() {}

    /**
     * What a cache needs in which the index of a shard stays while another is read; otherwise it is decoded again for
     * all that is made of parts of the shard. 0 without shards.
     */
    static long twiceTheLargest(ZarrArray array) {
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

    /** The length of the longest shard in dimension {@code d}. */
    private static long longest(ZarrArray array, int d) {
        long length = array.storedChunkShape()[d];
        long[] grid = Inside.of(array).cells();
        boolean empty = Box.of(grid).isEmpty();
        if (empty || array.metadata().chunkGrid().name().equals("regular")) {
            return length;
        }
        long[] cell = new long[grid.length];
        for (; cell[d] < Math.min(grid[d], MOST_CELLS); cell[d]++) {
            length = Math.max(length, Inside.of(array).box(cell).shape(d));
        }
        return length;
    }
}
