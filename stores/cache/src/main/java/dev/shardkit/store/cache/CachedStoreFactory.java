package dev.shardkit.store.cache;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.keys.NestedLocation;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens {@code cache:URL}: a {@link CachedStore} of the store at {@code URL}. The folder, limit and mode come from
 * {@code #folder=PATH&limit=10GiB&mode=offline} after the URL, from the system properties
 * {@code shardkit.cache.folder}, {@code .limit} and {@code .mode}, or from the environment variables
 * {@code SHARDKIT_CACHE_FOLDER}, {@code _LIMIT} and {@code _MODE}. By default the folder is {@code shardkit/cache} in
 * the user's cache folder ({@code $XDG_CACHE_HOME}, {@code ~/.cache}), and the limit 10 GiB. Thread-safe.
 */
public final class CachedStoreFactory implements StoreFactory {
    static final String SCHEME = "cache";

    private static final String EXPECTED = "expected cache:URL, with the URL of a remote store, found ";

    /** For {@link java.util.ServiceLoader}. */
    public CachedStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Always throws, because only a registry can open the store at the inner URL. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a cache with a registry or with CachedStore");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        CacheSettings settings = CacheSettings.of(options(uri), CacheSettings.Sources.ofProcess());
        URI inner = NestedLocation.urlOrPath(uri.getRawSchemeSpecificPart(), EXPECTED);
        Store store = others.apply(inner);
        boolean done = false;
        try {
            CachedStore.Builder builder = CachedStore.builder(store, settings.folder())
                    .limit(settings.limit())
                    .mode(settings.mode());
            if (store.describe().contains(CachedStore.HIDDEN)) {
                // A digest identifies the location without showing its secrets.
                builder.identity(store.describe() + "#" + CachedObjects.hash(inner.toString(), 40));
            }
            Store cached = builder.open();
            done = true;
            return cached;
        } finally {
            if (!done) {
                store.close();
            }
        }
    }

    /** Returns the options after the number sign: {@code name=value&name=value}. */
    private static Map<String, String> options(URI uri) {
        Map<String, String> options = new HashMap<>();
        for (String option :
                Optional.ofNullable(uri.getRawFragment()).map(f -> f.split("&")).orElse(new String[0])) {
            int equals = option.indexOf('=');
            options.put(
                    equals < 0 ? option : option.substring(0, equals),
                    equals < 0 ? "" : NestedLocation.decoded(option.substring(equals + 1)));
        }
        return options;
    }
}
