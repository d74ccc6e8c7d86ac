package dev.shardkit.store.s3;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/** Opens {@code s3://BUCKET/PREFIX}: an {@link S3Store} with the settings of AWS's environment. Thread-safe. */
public final class S3StoreFactory implements StoreFactory {
    private final UnaryOperator<S3StoreBuilder> settings;
    private final int priority;

    /** Creates the factory of the default settings; called by {@link java.util.ServiceLoader}. */
    public S3StoreFactory() {
        this.settings = UnaryOperator.identity();
        this.priority = Extension.BUILT_IN;
    }

    /**
     * Creates a factory that opens all locations with the caller's settings. A registry with this factory uses it in
     * place of the default one.
     *
     * @param settings changes the builder of each store
     */
    public S3StoreFactory(UnaryOperator<S3StoreBuilder> settings) {
        this.settings = settings;
        this.priority = StoreFactory.super.priority();
    }

    @Override
    public String name() {
        return "s3";
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Store open(URI uri) {
        return settings.apply(S3Store.builder(uri)).build();
    }
}
