package dev.shardkit.store.azure;

import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Opens {@code abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX}, as {@link AzureStoreFactory} opens {@code az:}.
 * Thread-safe.
 */
public final class AbfsStoreFactory implements StoreFactory {
    private final AzureStoreFactory factory;

    /** For {@link java.util.ServiceLoader}. */
    public AbfsStoreFactory() {
        this.factory = new AzureStoreFactory();
    }

    /** Creates a factory that opens all locations with the caller's settings, as {@link AzureStoreFactory} does. */
    public AbfsStoreFactory(UnaryOperator<AzureStoreBuilder> settings) {
        this.factory = new AzureStoreFactory(settings);
    }

    @Override
    public String name() {
        return "abfs";
    }

    @Override
    public int priority() {
        return factory.priority();
    }

    @Override
    public Store open(URI uri) {
        return factory.open(uri);
    }
}
