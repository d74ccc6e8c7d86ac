package dev.shardkit.store.azure;

import java.util.function.UnaryOperator;

/**
 * Opens {@code abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX}, as {@link AzureStoreFactory} opens {@code az:}.
 * Thread-safe.
 */
public final class AbfssStoreFactory extends DataLakeFactory {
    /** For {@link java.util.ServiceLoader}. */
    public AbfssStoreFactory() {
        super("abfss", new AzureStoreFactory());
    }

    /** Creates a factory that opens all locations with the caller's settings, as {@link AzureStoreFactory} does. */
    public AbfssStoreFactory(UnaryOperator<AzureStoreBuilder> settings) {
        super("abfss", new AzureStoreFactory(settings));
    }
}
