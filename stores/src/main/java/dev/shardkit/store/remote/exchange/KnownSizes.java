package dev.shardkit.store.remote.exchange;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sizes of objects that servers have declared: by Content-Length or Content-Range, or in a listing. A body that
 * ends with its connection is compared with them, because nothing else shows that it is short. A listing comes from the
 * store itself, so every answer about a listed version is compared with its size: a proxy between client and server may
 * have shortened a body together with its Content-Length. Remembers some of the last objects. Thread-safe.
 */
public final class KnownSizes {
    private static final int MAX = 1 << 14;

    private record Known(String version, long size, boolean listed) {}

    private final Map<String, Known> sizes = new ConcurrentHashMap<>();

    public KnownSizes() {}

    /**
     * Records the size of a version in a listing.
     *
     * @param version as a read returns it
     */
    public void listed(String key, String version, long size) {
        put(key, new Known(version, size, true));
    }

    /**
     * Records the size of a version that an answer to a read declares; without a version, records nothing.
     *
     * @return how the size contradicts that of a listing; empty if it does not
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
