package dev.shardkit.store.gcs;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/** Opens {@code gs://BUCKET/PREFIX}: a {@link GcsStore} with Google's default credentials. Thread-safe. */
public final class GcsStoreFactory implements StoreFactory {
    private final UnaryOperator<GcsStoreBuilder> settings;
    private final int priority;

    /** For {@link java.util.ServiceLoader}. */
    public GcsStoreFactory() {
        this.settings = UnaryOperator.identity();
        this.priority = Extension.BUILT_IN;
    }

    /**
     * Creates a factory that opens all locations with the caller's settings. A registry with this factory uses it in
     * place of the default one.
     *
     * @param settings changes the builder of each store
     */
    public GcsStoreFactory(UnaryOperator<GcsStoreBuilder> settings) {
        this.settings = settings;
        this.priority = StoreFactory.super.priority();
    }

    @Override
    public String name() {
        return "gs";
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Store open(URI uri) {
        return settings.apply(GcsStore.builder(uri)).build();
    }
}
