package dev.shardkit.store.http;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;

/** Opens {@code http://HOST/PATH}: an {@link HttpStore} with default settings. Thread-safe. */
public final class HttpStoreFactory implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public HttpStoreFactory() {}

    @Override
    public String name() {
        return "http";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        if (!"http".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("expected http://HOST/PATH, found another scheme: " + uri.getScheme());
        }
        return HttpStore.at(uri);
    }
}
