package dev.shardkit.engine;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Durability;
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
 */
public record WriteContext(
        BlockingStore store,
        String array,
        ReadContext reading,
        WritePolicy policy,
        Durability durability,
        Locking locking,
        Duration patience) {
    /** Whether objects are locked, or put under a condition, while they are changed. */
    public enum Locking {
        /** They are. */
        AS_THE_STORE_CAN,
        /** Nobody else writes them. */
        NONE
    }
}
