package dev.shardkit.store.http;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.util.function.UnaryOperator;

/** Opens {@code https://HOST/PATH}: an {@link HttpStore}, by default with default settings. Thread-safe. */
public final class HttpsStoreFactory implements StoreFactory {
    private final UnaryOperator<HttpStoreBuilder> settings;
    private final int priority;

    /** Creates the factory of the default settings; called by {@link java.util.ServiceLoader}. */
    public HttpsStoreFactory() {
        this.settings = UnaryOperator.identity();
        this.priority = Extension.BUILT_IN;
    }

    /**
     * Creates a factory that opens all locations with the caller's settings. A registry with this factory uses it in
     * place of the default one.
     *
     * @param settings changes the builder of each store; {@link HttpStoreBuilder#base} names the location
     */
    public HttpsStoreFactory(UnaryOperator<HttpStoreBuilder> settings) {
        this.settings = settings;
        this.priority = StoreFactory.super.priority();
    }

    @Override
    public String name() {
        return "https";
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Store open(URI uri) {
        if (!"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("expected https://HOST/PATH, found another scheme: " + uri.getScheme());
        }
        return settings.apply(HttpStore.builder(uri)).build();
    }
}
