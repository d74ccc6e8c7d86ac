package dev.shardkit.store.policy;

/** Whether other writers may change the same shards, so that a writer needs locks or conditions. */
public enum WriteOwnership {
    /**
     * Other writers may change the same shards. Each shard is locked while it changes, or put conditionally if the
     * store has no locks.
     */
    SHARED,
    /**
     * The caller promises that no other writer changes the same shards, so nothing is locked. {@code Shards.split}
     * divides an array's shards among owners. Several owners may write disjoint inner chunks of one shard at once, but
     * only in place, and only if the inner chunks are stored and have one encoded size.
     */
    OWNED
}
