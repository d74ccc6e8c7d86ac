package dev.shardkit.store.remote.exchange;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers the sizes of objects that servers have declared in Content-Length, Content-Range or a listing. A body
 * without a declared size is compared with them, because nothing else shows that a broken connection has shortened it.
 * Every response about a listed version is compared with the size in the listing, because a proxy between client and
 * server may have shortened a body together with its Content-Length. Keeps a limited number of sizes. Thread-safe.
 */
public final class KnownSizes {
    /** The maximum number of sizes; all are forgotten when it is reached. */
    private static final int MAX = 1 << 14;

    /** The size of one version of an object; {@code listed} if it comes from a listing. */
    private record Known(String version, long size, boolean listed) {}

    private final Map<String, Known> sizes = new ConcurrentHashMap<>();

    /** Creates an empty instance. */
    public KnownSizes() {}

    /**
     * Records the size of a version in a listing.
     *
     * @param version the version in the form that reads return
     */
    public void listed(String key, String version, long size) {
        put(key, new Known(version, size, true));
    }

    /**
     * Records the size of a version that the response to a read declares; without a version, records nothing.
     *
     * @return a description of the contradiction if a listing declared another size; empty if there is none
     */
    Optional<String> declared(String key, Optional<String> version, long size) {
        if (version.isEmpty()) {
            return Optional.empty();
        }
        Known entry = sizes.get(key);
        if (entry == null || !entry.listed || !entry.version.equals(version.get())) {
            put(key, new Known(version.get(), size, false));
            return Optional.empty();
        }
        return entry.size == size
                ? Optional.empty()
                : Optional.of("expected an object of " + entry.size
                        + " bytes, as the listing names this version, found " + size);
    }

    private void put(String key, Known entry) {
        if (sizes.size() >= MAX) {
            sizes.clear();
        }
        sizes.put(key, entry);
    }

    /** Returns the size that was declared for this version. */
    OptionalLong sizeOf(String key, Optional<String> version) {
        Known entry = sizes.get(key);
        return entry != null && version.filter(entry.version::equals).isPresent()
                ? OptionalLong.of(entry.size)
                : OptionalLong.empty();
    }
}
