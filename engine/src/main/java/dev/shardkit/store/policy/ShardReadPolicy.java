package dev.shardkit.store.policy;

/** How much of a shard a read fetches. */
public enum ShardReadPolicy {
    /**
     * Whole shards if a read of a remote store needs all of a shard of at most 32 MiB, otherwise ranges. If a call
     * reads one or two large shards of a server that is known to answer ranges, an index at their end is requested at
     * the same time, and inner chunks are decoded while the shard arrives.
     */
    AUTO,
    /** Always the index and the requested inner chunks; neighbouring ranges are merged. */
    RANGES,
    /**
     * Always whole shards, cached within the cache's budget: further inner chunks of the shard then cost no request.
     */
    WHOLE_SHARD
}
