package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a write: the store, the write policy, the durability and the locking. Immutable.
 *
 * @param store the store of the objects
 * @param array the key of the array's node, for locks
 * @param reading the settings for reading the old content
 * @param policy how shards are written, if the store supports it
 * @param durability the durability of a write
 * @param locking whether other writers may write the same objects
 * @param patience how long to wait for another writer of the same object
 * @param guard refuses a write if its node was deleted or replaced
 */
public record WriteContext(
        Store store,
        String array,
        ReadContext reading,
        ShardWritePolicy policy,
        Durability durability,
        Locking locking,
        Duration patience,
        Guard guard) {
    /** Creates the context of a call during which the node cannot be deleted: the guard accepts every write. */
    public WriteContext(
            Store store,
            String array,
            ReadContext reading,
            ShardWritePolicy policy,
            Durability durability,
            Locking locking,
            Duration patience) {
        this(store, array, reading, policy, durability, locking, patience, lock -> {});
    }

    /** Returns a copy for changes of a node that others may delete during the call. */
    public WriteContext guarded(Guard other) {
        return new WriteContext(store, array, reading, policy, durability, locking, patience, other);
    }

    /** Returns whether others may write the same objects. */
    public boolean hasOtherWriters() {
        return locking == Locking.AS_THE_STORE_CAN;
    }

    /** Returns whether the store has an ability. */
    boolean can(Class<? extends Ability> ability) {
        return store.can(ability);
    }

    /** Returns blocking calls for the store. */
    BlockingStore access() {
        return BlockingStore.to(store);
    }

    /** Runs a call of the store, and adds the location to its failure. */
    <V> V call(String key, StoreCall<V> call) {
        try {
            return call.run();
        } catch (PatchRefused e) {
            throw e;
        } catch (Exception e) {
            throw Failures.rethrow(Failures.ofStore(e, reading.array(), DataLocation.of(key), ""));
        }
    }

    /** A call of a store. */
    @FunctionalInterface
    interface StoreCall<V> {
        V run() throws IOException;
    }

    /** Returns the error for a store that cannot exclude other writers of an object. */
    ZarrException unguarded(String key) {
        return new UnsupportedException("the store " + store.describe() + " has neither locks nor conditional puts, "
                        + "which concurrent writers need: only the owner of the shards can write there "
                        + "(WriteOwnership.OWNED)")
                .locate(Optional.of(reading.array()), Optional.of(DataLocation.of(key)), Optional.empty());
    }

    /** Returns the error for a change that must not be made twice, if the store cannot tell whether it was made. */
    ZarrException unknown(WriteResult.Unknown outcome) {
        return new UnknownOutcomeException(
                "the answer to the put was lost, and the store cannot tell whether the put was made: the change is "
                        + "stored once or not at all; read the metadata before repeating it ("
                        + outcome.cause().getMessage() + ")",
                outcome.cause());
    }

    /**
     * Notifies the listener of a written object.
     *
     * @param used the strategy that was used
     * @param bytes the number of bytes written
     * @param fallbackReason why {@code used} is not the strategy of the policy, if the codec has given a reason
     * @param existed whether the object existed before
     */
    void written(
            String key, ShardWritePolicy.Strategy used, long bytes, Optional<String> fallbackReason, boolean existed) {
        ShardWritePolicy.Strategy requested = policy.strategy();
        Optional<String> reason = can(Patches.class) || !existed || requested == used
                ? fallbackReason
                : Optional.of("the store " + store.describe() + " cannot change objects in place");
        reason.ifPresent(r -> reading.listener().onFallback(key, requested, used, r));
        reading.listener().onWrite(key, used, bytes);
    }

    /** Checks whether the written objects still belong to the node of the call. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Checks while the object's lock is held. If the check succeeds, the node is not deleted before the lock is
         * released.
         *
         * @param generation the generation of the lock
         * @throws dev.shardkit.spi.error.ZarrException if the node was deleted or replaced
         */
        void check(String generation) throws IOException;

        /**
         * Checks without a lock. A writer that lost a race calls this after it has read the object again and before it
         * stores the object: the winner of the race may have replaced the array. If the node is unchanged, the object
         * that was read belongs to the node. Blocks.
         *
         * @throws dev.shardkit.spi.error.MetadataException if the node was deleted or replaced
         */
        default void checkAgain() {}

        /** Returns whether {@link #checkAgain} runs before every conditional change, not only after a lost race. */
        default boolean checksEach() {
            return false;
        }
    }

    /** Whether objects are locked, or put conditionally, while they are changed. */
    public enum Locking {
        /** Objects are locked, or put conditionally, whichever the store supports. */
        AS_THE_STORE_CAN,
        /** Objects are neither locked nor put conditionally: there are no other writers. */
        NONE
    }
}
