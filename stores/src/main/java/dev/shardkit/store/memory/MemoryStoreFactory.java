package dev.shardkit.store.memory;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens {@code memory:NAME}, a {@link MemoryStore}. All callers that open the same name through one factory share one
 * store, which exists as long as the factory. Each registry has a factory of its own, so registries do not share
 * stores. Thread-safe.
 */
public final class MemoryStoreFactory implements StoreFactory {
    private final Map<String, MemoryStore> stores = new ConcurrentHashMap<>();

    /** Creates a factory without stores; called by {@link java.util.ServiceLoader}. */
    public MemoryStoreFactory() {}

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        String name = uri.getSchemeSpecificPart();
        boolean plain = uri.getFragment() == null && name.matches("[A-Za-z0-9._-]+");
        if (!"memory".equalsIgnoreCase(uri.getScheme()) || !plain) {
            throw new IllegalArgumentException(
                    "expected memory:NAME with a name of letters, digits and . _ -, found another: " + uri.getScheme()
                            + ":...");
        }
        return stores.computeIfAbsent(name, MemoryStore::named);
    }
}
