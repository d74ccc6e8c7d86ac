package dev.shardkit.store.azure;

import java.util.function.UnaryOperator;

/**
 * Opens {@code abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX}, as {@link AzureStoreFactory} opens {@code az:}.
 * Thread-safe.
 */
public final class AbfsStoreFactory extends DataLakeFactory {
    /** For {@link java.util.ServiceLoader}. */
    public AbfsStoreFactory() {
        super("abfs", new AzureStoreFactory());
    }

    /** Creates a factory that opens all locations with the caller's settings, as {@link AzureStoreFactory} does. */
    public AbfsStoreFactory(UnaryOperator<AzureStoreBuilder> settings) {
        super("abfs", new AzureStoreFactory(settings));
    }
}
