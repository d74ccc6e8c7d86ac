package dev.shardkit.engine;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.time.Duration;

/**
 * What a write needs beside its plan. Immutable.
 *
 * @param store where the objects are
 * @param array the key of the array's node, for locks
 * @param reading how old content is read
 * @param policy how shards are written, if the store can
 * @param durability what a write survives
 * @param locking whether others may write the same objects
 * @param patience how long to wait for another writer of the same object
 * @param guard refuses what is to be stored when its node is there no more
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
    /** Of somebody who knows that the node is there, or is only to be made. */
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

    /** The same for changes of a node that others may delete meanwhile. */
    public WriteContext guarded(Guard by) {
        return new WriteContext(store, array, reading, policy, durability, locking, patience, by);
    }

    /** Whether what is written still belongs to the node that the call began with. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Looks while the object's lock is held. A node that is there now is not removed before the lock is let go.
         *
         * @param generation of the lock
         * @throws dev.shardkit.spi.error.ZarrException if the node was deleted, or another has taken its place
         */
        void check(String generation) throws IOException;
    }

    /** Whether objects are locked, or put under a condition, while they are changed. */
    public enum Locking {
        /** They are. */
        AS_THE_STORE_CAN,
        /** Nobody else writes them. */
        NONE
    }
}
