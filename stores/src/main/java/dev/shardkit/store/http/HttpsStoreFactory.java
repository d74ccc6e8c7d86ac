package dev.shardkit.store.http;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;

/** Opens {@code https://HOST/PATH}: an {@link HttpStore} with default settings. Thread-safe. */
public final class HttpsStoreFactory implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public HttpsStoreFactory() {}

    @Override
    public String name() {
        return "https";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        if (!"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("expected https://HOST/PATH, found another scheme: " + uri.getScheme());
        }
        return HttpStore.at(uri);
    }
}
