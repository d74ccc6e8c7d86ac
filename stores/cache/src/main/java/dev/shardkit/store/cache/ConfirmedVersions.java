package dev.shardkit.store.cache;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The versions of objects that the cached remote store has confirmed, and the time of each confirmation. Remembers the
 * most recently used objects. Thread-safe.
 */
final class ConfirmedVersions {
    private static final int MAX_OBJECTS = 1 << 16;

    /**
     * A confirmation.
     *
     * @param version the confirmed version
     * @param nanos the time of the request, in nanoseconds of {@link System#nanoTime}
     */
    private record Confirmation(String version, long nanos) {}

    /** By key, in the order of the last use. */
    private final Map<String, Confirmation> confirmed = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Confirmation> eldest) {
            return size() > MAX_OBJECTS;
        }
    };
    /** The number of changes through this store. */
    private long changes;

    /**
     * Returns the number of changes through this store. If it differs after a request, the response may be older than a
     * change.
     */
    synchronized long changes() {
        return changes;
    }

    /** Returns whether the store has confirmed within the last {@code age} that the object has this version. */
    synchronized boolean isFresh(String key, String version, Duration age) {
        return Optional.ofNullable(confirmed.get(key))
                .filter(at -> at.version().equals(version) && System.nanoTime() - at.nanos() < age.toNanos())
                .isPresent();
    }

    /** Records the version in the response to a request that was sent at {@code nanos}. */
    synchronized void add(String key, String version, long nanos) {
        confirmed.put(key, new Confirmation(version, nanos));
    }

    synchronized void forget(String key) {
        confirmed.remove(key);
    }

    /** Records that an object changes through this store. */
    synchronized void change(String key) {
        changes++;
        confirmed.remove(key);
    }

    /** Records that any objects may change through this store. */
    synchronized void changeAll() {
        changes++;
        confirmed.clear();
    }
}
