package dev.shardkit.store.remote;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the concurrent requests to each host. All stores of one host together send at most {@link #LIMIT} requests at
 * once, or as many as the largest limit of one of these stores. Thread-safe.
 */
final class HostLimits {
    /** The limit of a host, unless a store has a larger one. */
    private static final int LIMIT = 256;

    /** The permits by host. Only the stores hold them strongly, so a host without stores is forgotten. */
    private static final Map<String, WeakReference<Permits>> PERMITS = new HashMap<>();

    private HostLimits() {}

    /**
     * Returns the permits of a host.
     *
     * @param name the host, with the port
     * @param limit the maximum number of concurrent requests of the calling store
     */
    static Permits of(String name, int limit) {
        Permits permits;
        synchronized (PERMITS) {
            PERMITS.values().removeIf(reference -> reference.get() == null);
            permits = Optional.ofNullable(PERMITS.get(name))
                    .map(WeakReference::get)
                    .orElseGet(() -> new Permits(LIMIT));
            PERMITS.put(name, new WeakReference<>(permits));
        }
        permits.raise(limit);
        return permits;
    }
}
