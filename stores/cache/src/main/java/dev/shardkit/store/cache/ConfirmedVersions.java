package dev.shardkit.store.cache;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The versions that the other store has confirmed, and the time of each confirmation. Remembers the most recently used
 * objects. Thread-safe.
 */
final class ConfirmedVersions {
    private static final int MAX = 1 << 16;

    private record At(String version, long nanos) {}

    private final Map<String, At> confirmed = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, At> eldest) {
            return size() > MAX;
        }
    };
    private long changes;

    /** Returns a number that differs after each change through this store. */
    synchronized long changes() {
        return changes;
    }

    /** Returns whether the store has confirmed within the last {@code age} that the object has this version. */
    synchronized boolean isFresh(String key, String version, Duration age) {
        return Optional.ofNullable(confirmed.get(key))
                .filter(at -> at.version().equals(version) && System.nanoTime() - at.nanos() < age.toNanos())
                .isPresent();
    }

    /** Records an answer to a request that was sent at {@code nanos}. */
    synchronized void add(String key, String version, long nanos) {
        confirmed.put(key, new At(version, nanos));
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
