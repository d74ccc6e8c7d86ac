package dev.shardkit.maintenance.chunks;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Queries properties of stored objects, and lists keys. Stateless. */
public final class StoredObjects {
    private StoredObjects() {}

    /** Reads a property of an object, such as its size. */
    public interface Query<T> {
        T of(ObjectSnapshot object) throws IOException;
    }

    /** Returns the result of a query for the object under {@code key}; empty if there is no such object. */
    public static <T> Optional<T> find(BlockingStore store, String key, Query<T> query) throws IOException {
        Optional<ObjectSnapshot> found = store.open(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = found.get()) {
            return Optional.of(query.of(object));
        }
    }

    /** Returns whether there is an object under {@code key}. */
    public static boolean has(BlockingStore store, String key) throws IOException {
        return find(store, key, object -> NoResult.INSTANCE).isPresent();
    }

    /** Visits the keys of all objects below {@code root}. */
    public static void visitKeys(StoreCalls calls, String root, Consumer<String> keys) {
        Deque<String> prefixes = new ArrayDeque<>(List.of(root));
        while (!prefixes.isEmpty()) {
            String prefix = prefixes.pop();
            calls.run(store -> store.list(prefix, entry -> {
                String key = StoreKeys.join(prefix, entry.name());
                if (entry.kind() == Entry.Kind.PREFIX) {
                    prefixes.push(key);
                } else {
                    keys.accept(key);
                }
            }));
        }
    }
}
