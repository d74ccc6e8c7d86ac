package dev.shardkit.store;

/** How much of a shard a read fetches. */
public enum ReadPolicy {
    /** Whole shards where a read wants most of one from a far store, otherwise ranges. */
    AUTO,
    /** Always the index and the inner chunks that are wanted; neighbours are merged. */
    RANGES,
    /** Always whole shards, kept in the cache as far as its budget goes: a neighbour then costs no request. */
    WHOLE_SHARD
}
