package dev.shardkit.region.selection;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.selection.Tiling;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;

/** The borders of an array's inner chunks, or of its stored chunks, as a {@link Tiling}. */
final class ArrayTiling {
    private ArrayTiling() {}

    /** Returns the tiling by stored chunks: shards, or chunks without sharding. */
    static Tiling stored(ChunkPlans chunks) {
        return (d, index) -> chunks.grid().chunk(cell(chunks, d, index)).end(d);
    }

    /** Returns the tiling by the smallest units of a read: the innermost inner chunks, or chunks without sharding. */
    static Tiling inner(ChunkPlans chunks) {
        return (d, index) -> {
            long[] cell = cell(chunks, d, index);
            Box chunk = chunks.grid().chunk(cell);
            long tile = chunks.codec(cell).readShape()[d];
            long begin = index - (index - chunk.origin(d)) % tile;
            return Math.min(chunk.end(d), begin + tile);
        };
    }

    /**
     * Returns the cell at {@code index} of dimension {@code d}, and at zero of the others. It stands for all cells at
     * this index, because the borders of a grid in one dimension are the same everywhere.
     */
    private static long[] cell(ChunkPlans chunks, int d, long index) {
        long[] origin = new long[chunks.metadata().rank()];
        long[] shape = new long[origin.length];
        Arrays.fill(shape, 1);
        origin[d] = index;
        return chunks.grid().touched(Box.of(origin, shape)).origin();
    }
}
