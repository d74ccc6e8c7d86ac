package dev.shardkit.store.remote;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sizes of objects that servers have declared: by Content-Length or Content-Range, or in a listing. A body that
 * ends with its connection is compared with them, because nothing else shows that it is short. A listing is the word of
 * the store itself, so every answer about a version that it named is compared with it: something between client and
 * server may have shortened a body together with its Content-Length. Remembers some of the last objects. Thread-safe.
 */
public final class KnownSizes {
    private static final int MAX = 1 << 14;

    private record Known(String version, long size, boolean listed) {}

    private final Map<String, Known> sizes = new ConcurrentHashMap<>();

    KnownSizes() {}

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
        Known known = sizes.get(key);
        if (known == null || !known.listed || !known.version.equals(version.get())) {
            put(key, new Known(version.get(), size, false));
            return Optional.empty();
        }
        return known.size == size
                ? Optional.empty()
                : Optional.of("expected an object of " + known.size
                        + " bytes, as the listing names this version, found " + size);
    }

    private void put(String key, Known known) {
        if (sizes.size() >= MAX) {
            sizes.clear();
        }
        sizes.put(key, known);
    }

    /** Returns the size that was declared for this version. */
    OptionalLong of(String key, Optional<String> version) {
        Known known = sizes.get(key);
        return known != null && version.filter(known.version::equals).isPresent()
                ? OptionalLong.of(known.size)
                : OptionalLong.empty();
    }
}
