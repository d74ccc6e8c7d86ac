package dev.shardkit.store.access;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnknownOutcomeException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Blocking calls for any store, local or remote. For threads that may wait. If the store lacks the ability that a call
 * needs, the call changes nothing and fails with an {@link UnsupportedException} that names the store and the ability.
 * An operation of several calls asks for its abilities first ({@link Store#need}), so that the message names the
 * operation. Immutable and thread-safe.
 */
public final class BlockingStore {
    /** Stands for the operation's name in messages, for callers that have not asked for the ability before. */
    private static final String OPERATION = "this operation";

    private final Store store;

    private BlockingStore(Store store) {
        this.store = store;
    }

    /** Returns blocking access to a store. */
    public static BlockingStore to(Store store) {
        return new BlockingStore(store);
    }

    /** The store. */
    public Store store() {
        return store;
    }

    /** {@link Store#describe}. */
    public String describe() {
        return store.describe();
    }

    /** Returns whether the store has an ability. */
    public boolean can(Class<? extends Ability> ability) {
        return store.can(ability);
    }

    /** Returns whether the store honours conditions on the version and on absence. */
    public boolean putsUnderConditions() {
        return store.find(Writes.class)
                .filter(w -> w.honours().contains(Condition.Kind.VERSION)
                        && w.honours().contains(Condition.Kind.ABSENT))
                .isPresent();
    }

    /** Opens an object; empty if it definitely does not exist. */
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        return store.reads() instanceof RemoteReads remote
                ? RemoteSnapshot.open(remote, key)
                : ((LocalReads) store.reads()).open(key);
    }

    /** As {@link LocalReads#openToChange}. */
    public Optional<ObjectSnapshot> openToChange(String key) throws IOException {
        return store.reads() instanceof LocalReads local ? local.openToChange(key) : open(key);
    }

    /** Returns the version of an object; empty if it definitely does not exist. */
    public Optional<String> version(String key) throws IOException {
        return store.reads() instanceof LocalReads local
                ? local.version(key)
                : open(key).map(ObjectSnapshot::version);
    }

    /**
     * Stores {@code content} under {@code key}, without a condition.
     *
     * @throws UnknownOutcomeException if the answer was lost
     */
    public void put(String key, Content content, Durability durability) throws IOException {
        definite(put(key, content, Condition.ANY, durability), "putting " + key);
    }

    /** As {@link Writes#put}. */
    public WriteResult put(String key, Content content, Condition condition, Durability durability) throws IOException {
        Writes writes = honouring(condition);
        return writes instanceof BlockingWrites blocking
                ? blocking.putNow(key, content, condition, durability)
                : BlockingWait.ofChange(writes.put(key, content, condition, durability), "putting " + key);
    }

    /**
     * Deletes an object; returns false if the store knows that there was none.
     *
     * @throws UnknownOutcomeException if the answer was lost
     */
    public boolean delete(String key) throws IOException {
        return definite(delete(key, Condition.ANY), "deleting " + key) instanceof WriteResult.Done;
    }

    /** As {@link Writes#delete}. */
    public WriteResult delete(String key, Condition condition) throws IOException {
        Writes writes = honouring(condition);
        return writes instanceof BlockingWrites blocking
                ? blocking.deleteNow(key, condition)
                : BlockingWait.ofChange(writes.delete(key, condition), "deleting " + key);
    }

    private Writes honouring(Condition condition) {
        Writes writes = store.need(Writes.class, OPERATION);
        if (!writes.honours().contains(condition.kind())) {
            throw new UnsupportedException("the store " + describe() + " does not support conditions of kind "
                    + condition.kind() + ", which " + OPERATION + " needs");
        }
        return writes;
    }

    /** Returns the outcome of an unconditional change; throws if it is unknown, or if the store refused the change. */
    private WriteResult definite(WriteResult outcome, String operation) {
        if (outcome instanceof WriteResult.Unknown unknown) {
            throw new UnknownOutcomeException(
                    operation + " in " + describe()
                            + ": the answer was lost, so the change may or may not have happened: " + unknown.cause(),
                    unknown.cause());
        } else if (outcome instanceof WriteResult.NotMet) {
            throw new StoreException(operation + " in " + describe() + " was refused, although it was unconditional");
        }
        return outcome;
    }

    /** {@link TreeDeletions#deleteAll(String)}. */
    public void deleteAll(String prefix) throws IOException {
        store.need(TreeDeletions.class, OPERATION).deleteAll(prefix);
    }

    /** {@link TreeDeletions#deleteAll(String, Duration)}. */
    public void deleteAll(String prefix, Duration patience) throws IOException {
        store.need(TreeDeletions.class, OPERATION).deleteAll(prefix, patience);
    }

    /** Lists the objects and prefixes directly below {@code prefix} (empty for the root), in no order. */
    public void list(String prefix, Consumer<Entry> entries) throws IOException {
        if (store.need(Listings.class, OPERATION) instanceof BlockingListings blocking) {
            blocking.list(prefix, entries);
        } else {
            list(prefix, Listings.Depth.ONE, entries);
        }
    }

    /** Lists all objects below {@code prefix}, with names relative to it, in no order. */
    public void listAll(String prefix, Consumer<Entry> entries) throws IOException {
        list(prefix, Listings.Depth.ALL, entries);
    }

    private void list(String prefix, Listings.Depth depth, Consumer<Entry> entries) throws IOException {
        try (Listings.Names batches = store.need(Listings.class, OPERATION).list(prefix, depth)) {
            List<Entry> batch = BlockingWait.of(batches.next(), "listing " + prefix);
            while (!batch.isEmpty()) {
                batch.forEach(entries);
                batch = BlockingWait.of(batches.next(), "listing " + prefix);
            }
        }
    }

    /** {@link Locks#lock}. */
    public Locks.Lock lock(String array, String key, Duration patience) throws IOException {
        return store.need(Locks.class, OPERATION).lock(array, key, patience);
    }

    /** Copies by {@link Copies#copy} if the store has it, else by reading and writing; false if there is no object. */
    public boolean copy(String sourceKey, String targetKey, Durability durability) throws IOException {
        Optional<Copies> copies = store.find(Copies.class);
        if (copies.isPresent()) {
            return copies.get().copy(sourceKey, targetKey, durability);
        }
        return rewrite(sourceKey, targetKey, durability);
    }

    /** Copies an object by reading and writing it; false if there is no object {@code sourceKey}. */
    public boolean rewrite(String sourceKey, String targetKey, Durability durability) throws IOException {
        Optional<ObjectSnapshot> snapshot = open(sourceKey);
        if (snapshot.isEmpty()) {
            return false;
        }
        try (ObjectSnapshot object = snapshot.get()) {
            // inPlaceOf names the source, so that the store gives the copy no access rights beyond those of the source
            put(targetKey, Content.inPlaceOf(keys -> keys.accept(sourceKey), Content.of(object)), durability);
        }
        return true;
    }

    /** {@link Moves#takeOver}. */
    public boolean takeOver(Store source, String sourceKey, String key, Durability durability) throws IOException {
        return store.need(Moves.class, OPERATION).takeOver(source, sourceKey, key, durability);
    }

    /** {@link DeviceSync#force}. */
    public void force(String prefix) throws IOException {
        store.need(DeviceSync.class, OPERATION).force(prefix);
    }
}
