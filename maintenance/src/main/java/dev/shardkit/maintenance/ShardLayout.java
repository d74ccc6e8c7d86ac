package dev.shardkit.maintenance;

import java.util.Arrays;
import java.util.List;

/** How an array shall be packed into shards. Immutable, a value. Says nothing of the inner chunks' own shape. */
public sealed interface ShardLayout {
    /** No shards: each innermost chunk is stored by itself. */
    record Unsharded() implements ShardLayout {}

    /**
     * Shards of so many inner chunks.
     *
     * @param counts how many in each dimension; a single number stands for each dimension
     */
    record ChunksPerShard(List<Long> counts) implements ShardLayout {
        /** Takes a copy. */
        public ChunksPerShard {
            counts = List.copyOf(counts);
        }
    }

    /**
     * Shards of so many elements.
     *
     * @param lengths the shard's shape, a multiple of the inner chunks'
     */
    record ShardShape(List<Long> lengths) implements ShardLayout {
        /** Takes a copy. */
        public ShardShape {
            lengths = List.copyOf(lengths);
        }
    }

    /**
     * Shards of 10 to 100 MB as they are stored: the number of inner chunks is doubled, in the dimension that has
     * fewest (of several the last, none more than the array has) until a shard takes at least 32 MiB by the mean stored
     * size of a place in the grid of inner chunks, at most 100 MB and 262,144 places. An array whose shards take 10 to
     * 100 MB on the mean stays as it is.
     */
    record Automatic() implements ShardLayout {}

    /** Each chunk by itself. */
    static ShardLayout unsharded() {
        return new Unsharded();
    }

    /** So many inner chunks in each dimension; a single number stands for each dimension. */
    static ShardLayout chunksPerShard(long... counts) {
        return new ChunksPerShard(Arrays.stream(counts).boxed().toList());
    }

    /** Shards of this shape, in elements. */
    static ShardLayout shardShape(long... lengths) {
        return new ShardShape(Arrays.stream(lengths).boxed().toList());
    }

    /** Shards of 10 to 100 MB. */
    static ShardLayout automatic() {
        return new Automatic();
    }
}
