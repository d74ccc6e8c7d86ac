package dev.shardkit.store.azure;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/** Opens {@code az://CONTAINER/PREFIX}: an {@link AzureStore} with the settings of the environment. Thread-safe. */
public final class AzureStoreFactory implements StoreFactory {
    private final UnaryOperator<AzureStoreBuilder> settings;
    private final int priority;

    /** For {@link java.util.ServiceLoader}. */
    public AzureStoreFactory() {
        this.settings = UnaryOperator.identity();
        this.priority = Extension.BUILT_IN;
    }

    /**
     * Creates a factory that opens all locations with the caller's settings. A registry with this factory uses it in
     * place of the default one.
     *
     * @param settings changes the builder of each store
     */
    public AzureStoreFactory(UnaryOperator<AzureStoreBuilder> settings) {
        this.settings = settings;
        this.priority = StoreFactory.super.priority();
    }

    @Override
    public String name() {
        return "az";
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Store open(URI uri) {
        return settings.apply(AzureStore.builder(uri)).build();
    }
}
