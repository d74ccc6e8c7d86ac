package dev.shardkit.store;

/** Whether others may write the shards that a writer writes. */
public enum Ownership {
    /** They may: each shard is locked while it is changed, or put under a condition, as the store can. */
    SHARED,
    /**
     * They do not, by the caller's word: nothing is locked. {@code Shards.split} cuts an array's shards into parts for
     * as many owners. Writers of one shard that share no inner chunk may be its owners at once if each of their writes
     * is one in place, of inner chunks of one size that are stored.
     */
    OWNED
}
