package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;

/**
 * Marks a store that keeps each object as it was first put: a write-once archive, or a bucket whose policy forbids
 * replacing and deleting. A put under a free key succeeds, with {@link Condition#ANY} and {@link Condition#ABSENT}. A
 * put that would replace an object, and a delete of an object, fail with the error of {@link #refused} and change
 * nothing. Such a store has none of {@link Patches}, {@link Copies}, {@link Moves}, {@link TreeDeletions} and
 * {@link Commits}.
 *
 * <p>Arrays can be created and filled there by whole shards. Before a call writes its first shard, the engine checks
 * that none of its shards is stored yet, which costs a request for each.
 */
public interface WriteOnce extends Ability {
    /** Returns the error about an object that cannot be replaced or deleted. */
    static UnsupportedException refused(Store store, String key) {
        return new UnsupportedException("the store " + store.describe() + " is write-once: " + key
                + " is stored and can be neither replaced nor deleted; write whole shards that are not stored yet, "
                + "into an array that was created with its final shape");
    }

    /**
     * Refuses an operation that always replaces or deletes objects.
     *
     * @throws UnsupportedException if the store is write-once
     */
    static void refuse(Store store, String purpose) {
        if (store.can(WriteOnce.class)) {
            throw new UnsupportedException("the store " + store.describe() + " is write-once; " + purpose
                    + " replaces or deletes objects: use another store for it");
        }
    }
}
