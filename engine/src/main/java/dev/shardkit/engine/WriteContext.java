package dev.shardkit.engine;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.time.Duration;

/**
 * The environment of a write. Immutable.
 *
 * @param store the store of the objects
 * @param array the key of the array's node, for locks
 * @param reading the environment for reading old content
 * @param policy how shards are written, if the store supports it
 * @param durability the durability of a write
 * @param locking whether other writers may write the same objects
 * @param patience how long to wait for another writer of the same object
 * @param guard refuses a write if its node no longer exists
 */
public record WriteContext(
        Store store,
        String array,
        ReadContext reading,
        WritePolicy policy,
        Durability durability,
        Locking locking,
        Duration patience,
        Guard guard) {
    /** For a caller that knows that the node exists, or is about to create it. */
    public WriteContext(
            Store store,
            String array,
            ReadContext reading,
            WritePolicy policy,
            Durability durability,
            Locking locking,
            Duration patience) {
        this(store, array, reading, policy, durability, locking, patience, lock -> {});
    }

    /** Returns a copy for changes of a node that others may delete during the call. */
    public WriteContext guarded(Guard by) {
        return new WriteContext(store, array, reading, policy, durability, locking, patience, by);
    }

    /** Checks whether the written objects still belong to the node of the call. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Checks while the object's lock is held. The node is not deleted before the lock is released.
         *
         * @param generation the generation of the lock
         * @throws dev.shardkit.spi.error.ZarrException if the node was deleted or replaced
         */
        void check(String generation) throws IOException;
    }

    /** Whether objects are locked, or put conditionally, while they are changed. */
    public enum Locking {
        /** They are, as the store supports it. */
        AS_THE_STORE_CAN,
        /** There are no other writers. */
        NONE
    }
}
