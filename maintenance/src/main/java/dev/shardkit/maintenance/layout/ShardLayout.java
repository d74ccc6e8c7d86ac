package dev.shardkit.maintenance.layout;

import java.util.Arrays;
import java.util.List;

/**
 * The way in which the inner chunks of an array are packed into shards, for new arrays and changes of layout. Does not
 * define the shape of inner chunks. Immutable.
 */
public sealed interface ShardLayout {
    /** No shards: each innermost chunk is a stored object. */
    record Unsharded() implements ShardLayout {}

    /**
     * Shards with a given number of inner chunks.
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
     * Shards with a given shape in elements.
     *
     * @param lengths the shape of a shard, a multiple of the inner chunk shape in each dimension
     */
    record ShardShape(List<Long> lengths) implements ShardLayout {
        /** Copies the list. */
        public ShardShape {
            lengths = List.copyOf(lengths);
        }
    }

    /**
     * Shards of 10 to 100 MiB of stored data. The rule starts with a shard of one inner chunk, and repeatedly doubles
     * the number of inner chunks in one dimension: the one with the lowest count (the last of several; never above the
     * array's count). It stops when a shard reaches 32 MiB. The size of a shard is estimated from the mean stored size
     * of an inner chunk, where absent inner chunks count too. A shard has at most 100 MiB and 262,144 inner chunks.
     *
     * <p>An array whose mean shard size already is 10 to 100 MiB stays unchanged. So does an array without shards if
     * each shard would have a single chunk.
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
