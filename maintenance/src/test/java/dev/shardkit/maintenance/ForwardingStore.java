package dev.shardkit.maintenance;

import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A store without locks that forwards its calls to a store in memory. Tests override some of them. */
public class ForwardingStore implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions {
    private final MemoryStore objects;

    public ForwardingStore(MemoryStore objects) {
        this.objects = objects;
    }

    @Override
    public String describe() {
        return objects.describe();
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public Set<Condition.Kind> honours() {
        return objects.honours();
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        return objects.open(key);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) throws IOException {
        objects.list(prefix, entries);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        return objects.putNow(key, content, condition, durability);
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) throws IOException {
        return objects.deleteNow(key, condition);
    }

    @Override
    public void deleteAll(String prefix) throws IOException {
        objects.deleteAll(prefix);
    }
}
