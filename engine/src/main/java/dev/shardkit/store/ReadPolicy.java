package dev.shardkit.store;

/** How much of a shard a read fetches. */
public enum ReadPolicy {
    /** Whole shards if a read needs most of a shard of a far store, otherwise ranges. */
    AUTO,
    /** Always the index and the requested inner chunks; neighbouring ranges are merged. */
    RANGES,
    /**
     * Always whole shards, cached within the cache's budget: further inner chunks of the shard then cost no request.
     */
    WHOLE_SHARD
}
