package dev.shardkit.engine;

import dev.shardkit.store.ObjectChangedException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one run has seen of the objects that it reads: every later answer must fit. Of a great many objects those used
 * last are remembered, more than can be in use at once. Not thread-safe: guarded by its user.
 */
final class Pins {
    /** A run has no more objects in use than tasks open, a few levels deep. */
    private static final int MOST = 16 * Execution.WINDOW;

    /** What an answer tells of an object. */
    record Seen(boolean exists, Optional<String> version) {
        static final Seen ABSENT = new Seen(false, Optional.empty());

        /** An object that is there, of a version that the store may or may not be able to tell. */
        static Seen of(Optional<String> version) {
            return new Seen(true, version);
        }

        @Override
        public String toString() {
            return exists
                    ? version.map(v -> "version " + v).orElse("a version that the store does not tell")
                    : "no object";
        }
    }

    private final Map<String, Seen> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST;
        }
    };
    private final Map<String, Seen> unconfirmed = new HashMap<>();

    /** What is known of {@code key} in this run. */
    Optional<Seen> get(String key) {
        return Optional.ofNullable(unconfirmed.get(key)).or(() -> Optional.ofNullable(seen.get(key)));
    }

    /** Takes {@code version}, seen by an earlier call a moment ago, for what is there. */
    void trust(String key, String version) {
        seen.put(key, Seen.of(Optional.of(version)));
    }

    /** Takes {@code version}, seen by an earlier call, for what is there, until an answer confirms it. */
    void believe(String key, String version) {
        unconfirmed.put(key, Seen.of(Optional.of(version)));
    }

    /**
     * Takes in what an answer tells.
     *
     * @throws ObjectChangedException if it does not fit what was seen before
     */
    void confirm(String key, Seen now) {
        Optional<Seen> before = get(key);
        if (before.isPresent() && !before.get().equals(now)) {
            throw new ObjectChangedException("expected " + before.get() + ", found " + now);
        }
        unconfirmed.remove(key);
        seen.put(key, now);
    }

    /** The objects of which nothing but kept values has been seen. */
    Map<String, Seen> unconfirmed() {
        return unconfirmed;
    }
}
