package dev.shardkit.store.remote;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sizes of objects that servers have declared, by Content-Length or Content-Range. A body that ends with its
 * connection is compared with them, because nothing else shows that it is short. Remembers some of the last objects.
 * Thread-safe.
 */
final class KnownSizes {
    private static final int MOST = 4096;

    private record Known(String version, long size) {}

    private final Map<String, Known> sizes = new ConcurrentHashMap<>();

    /** Records the declared size of a version; without a version, records nothing. */
    void declared(String key, Optional<String> version, long size) {
        if (version.isPresent()) {
            if (sizes.size() >= MOST) {
                sizes.clear();
            }
            sizes.put(key, new Known(version.get(), size));
        }
    }

    /** Returns the size that was declared for this version. */
    OptionalLong of(String key, Optional<String> version) {
        Known known = sizes.get(key);
        return known != null && version.filter(known.version::equals).isPresent()
                ? OptionalLong.of(known.size)
                : OptionalLong.empty();
    }
}
