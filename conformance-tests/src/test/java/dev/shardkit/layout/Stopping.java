package dev.shardkit.layout;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A store that stops for good before its n-th change: what a killed process leaves, at each moment that there is. */
final class Stopping implements BlockingStore {
    private final BlockingStore store;
    private long left;

    Stopping(BlockingStore store, long changes) {
        this.store = store;
        this.left = changes;
    }

    private void change() throws IOException {
        if (left-- <= 0) {
            left = 0;
            throw new IOException("stopped");
        }
    }

    @Override
    public Optional<Snapshot> open(String key) throws IOException {
        return store.open(key);
    }

    @Override
    public void put(String key, Content content, Durability durability) throws IOException {
        change();
        store.put(key, content, durability);
    }

    @Override
    public boolean link(String from, String to, Durability durability) throws IOException {
        change();
        return store.link(from, to, durability);
    }

    @Override
    public boolean delete(String key) throws IOException {
        change();
        return store.delete(key);
    }

    /** One object after the other, as a file store does it. */
    @Override
    public void deleteAll(String prefix) throws IOException {
        java.util.List<Entry> entries = new java.util.ArrayList<>();
        store.list(prefix, entries::add);
        for (Entry e : entries) {
            String key = prefix.isEmpty() ? e.name() : prefix + "/" + e.name();
            if (e.kind() == Entry.Kind.PREFIX) {
                deleteAll(key);
            } else {
                delete(key);
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
    public Set<Capability> capabilities() {
        return Set.of(Capability.LOCK);
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) throws IOException {
        store.leftovers(prefix, leftovers);
    }

    @Override
    public String describe() {
        return store.describe();
    }
}
