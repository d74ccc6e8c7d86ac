package dev.shardkit.maintenance.relayout;

import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A store whose n-th change and all later changes fail. It simulates a process that is killed at that moment. It can
 * also run an action before selected changes instead.
 */
public final class StoppingStore
        implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Locks, Copies, LeftoverCleanup {
    private final BlockingStore store;
    private final LongPredicate selected;
    private final @Nullable Action action;
    private long changes;

    interface Action {
        void run() throws IOException;
    }

    public StoppingStore(Store store, long changes) {
        this(store, moment -> moment >= changes, null);
    }

    /**
     * Creates a store that runs an action before selected changes.
     *
     * @param selected accepts the numbers of these changes, from 0
     */
    public StoppingStore(Store store, LongPredicate selected, @Nullable Action action) {
        this.store = BlockingStore.to(store);
        this.selected = selected;
        this.action = action;
    }

    private void change() throws IOException {
        if (!selected.test(changes++)) {
            return;
        }
        if (action == null) {
            throw new IOException("stopped");
        }
        action.run();
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        boolean lacks = ability == Locks.class && !store.can(Locks.class);
        return lacks ? Optional.empty() : Store.super.find(ability);
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        return store.open(key);
    }

    @Override
    public Set<Condition.Kind> honours() {
        return store.store().need(Writes.class, "write").honours();
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        change();
        return store.put(key, content, condition, durability);
    }

    @Override
    public boolean copy(String from, String to, Durability durability) throws IOException {
        change();
        return store.copy(from, to, durability);
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) throws IOException {
        change();
        return store.delete(key, condition);
    }

    /** Deletes one object after the other, as a file store does. */
    @Override
    public void deleteAll(String prefix) throws IOException {
        java.util.List<Entry> entries = new java.util.ArrayList<>();
        store.list(prefix, entries::add);
        for (Entry e : entries) {
            String key = prefix.isEmpty() ? e.name() : prefix + "/" + e.name();
            if (e.kind() == Entry.Kind.PREFIX) {
                deleteAll(key);
            } else {
                deleteNow(key, Condition.ANY);
            }
        }
        store.deleteAll(prefix);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) throws IOException {
        store.list(prefix, entries);
    }

    @Override
    public Lock lock(String array, String key, Duration patience) throws IOException {
        return store.lock(array, key, patience);
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) throws IOException {
        Optional<LeftoverCleanup> own = store.store().find(LeftoverCleanup.class);
        if (own.isPresent()) {
            own.get().leftovers(prefix, leftovers);
        }
    }

    @Override
    public boolean remove(Leftover leftover) throws IOException {
        return store.store().need(LeftoverCleanup.class, "remove leftovers").remove(leftover);
    }

    @Override
    public String describe() {
        return store.describe();
    }
}
