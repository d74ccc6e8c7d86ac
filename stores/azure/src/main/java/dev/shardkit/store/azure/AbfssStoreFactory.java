package dev.shardkit.store.azure;

import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * Opens {@code abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX}, as {@link AzureStoreFactory} opens {@code az:}.
 * Thread-safe.
 */
public final class AbfssStoreFactory implements StoreFactory {
    private final AzureStoreFactory factory;

    /** For {@link java.util.ServiceLoader}. */
    public AbfssStoreFactory() {
        this.factory = new AzureStoreFactory();
    }

    /** Creates a factory that opens all locations with the caller's settings, as {@link AzureStoreFactory} does. */
    public AbfssStoreFactory(UnaryOperator<AzureStoreBuilder> settings) {
        this.factory = new AzureStoreFactory(settings);
    }

    @Override
    public String name() {
        return "abfss";
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
