package dev.shardkit.store.policy;

/** How much of a shard a read fetches. */
public enum ShardReadPolicy {
    /**
     * Reads a shard whole if it is in a remote store, has at most 32 MiB, and all of it is needed; otherwise reads
     * ranges. If a call reads one or two large shards of a server that is known to answer ranges, an index at their end
     * is requested at the same time, and inner chunks are decoded while the shard arrives.
     */
    AUTO,
    /** Always reads the index and the requested inner chunks; neighbouring ranges are merged. */
    RANGES,
    /**
     * Always reads whole shards, and caches them within the cache's budget: further inner chunks of a shard then cost
     * no request.
     */
    WHOLE_SHARD
}
