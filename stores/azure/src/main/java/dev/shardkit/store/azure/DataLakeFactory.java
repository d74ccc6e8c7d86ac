package dev.shardkit.store.azure;

import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;

/**
 * Opens the locations of Azure Data Lake ({@code abfs:}, {@code abfss:}) as {@link AzureStoreFactory} opens
 * {@code az:}. Thread-safe.
 *
 * <p>Each scheme has a subclass, because {@link java.util.ServiceLoader} needs a class with a constructor without
 * arguments for each factory.
 */
abstract class DataLakeFactory implements StoreFactory {
    private final String scheme;
    private final AzureStoreFactory factory;

    DataLakeFactory(String scheme, AzureStoreFactory factory) {
        this.scheme = scheme;
        this.factory = factory;
    }

    @Override
    public String name() {
        return scheme;
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
