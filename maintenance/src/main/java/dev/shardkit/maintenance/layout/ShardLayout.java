package dev.shardkit.maintenance.layout;

import java.util.Arrays;
import java.util.List;

/** How an array is packed into shards. Immutable, a value. Does not define the shape of inner chunks. */
public sealed interface ShardLayout {
    /** No shards: each innermost chunk is a stored object. */
    record Unsharded() implements ShardLayout {}

    /**
     * Shards with a number of inner chunks.
     *
     * @param counts the number in each dimension; a single number applies to every dimension
     */
    record ChunksPerShard(List<Long> counts) implements ShardLayout {
        /** Copies the list. */
        public ChunksPerShard {
            counts = List.copyOf(counts);
        }
    }

    /**
     * Shards with a shape in elements.
     *
     * @param lengths the shard's shape, a multiple of the inner chunk shape
     */
    record ShardShape(List<Long> lengths) implements ShardLayout {
        /** Copies the list. */
        public ShardShape {
            lengths = List.copyOf(lengths);
        }
    }

    /**
     * Shards of 10 to 100 MiB of stored data. The rule starts with one inner chunk and doubles the count in the
     * dimension with the lowest count (the last of several; never above the array's count). It stops when a shard
     * reaches 32 MiB, by the mean stored size of a cell in the grid of inner chunks. A shard has at most 100 MiB and
     * 262,144 cells. An array whose mean shard size is 10 to 100 MiB already stays unchanged, and so does one without
     * shards whose shards would hold a single chunk.
     */
    record Automatic() implements ShardLayout {}

    /** Returns the layout without shards. */
    static ShardLayout unsharded() {
        return new Unsharded();
    }

    /** Returns a layout by number of inner chunks in each dimension; a single number applies to every dimension. */
    static ShardLayout chunksPerShard(long... counts) {
        return new ChunksPerShard(Arrays.stream(counts).boxed().toList());
    }

    /** Returns a layout by shard shape, in elements. */
    static ShardLayout shardShape(long... lengths) {
        return new ShardShape(Arrays.stream(lengths).boxed().toList());
    }

    /** Returns the layout with shards of 10 to 100 MiB. */
    static ShardLayout automatic() {
        return new Automatic();
    }

    /**
     * Returns the shape of the shards that {@link Automatic} chooses for a new array, with at most 4,096 inner chunks
     * in a shard.
     *
     * @param shape the shape of the array
     * @param chunk the shape of the inner chunks
     * @param bytes the size of an inner chunk in bytes
     */
    static long[] automaticShape(long[] shape, long[] chunk, double bytes) {
        return AutoShards.shape(shape, chunk, bytes);
    }
}
