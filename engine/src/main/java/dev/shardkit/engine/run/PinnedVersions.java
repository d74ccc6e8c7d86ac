package dev.shardkit.engine.run;

import dev.shardkit.store.ObjectChangedException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The versions of the objects that one run has read: each later answer about an object must have the same version.
 * Remembers only the most recently used objects, but more than can be in use at once. Not thread-safe: guarded by its
 * user.
 */
public final class PinnedVersions {
    /**
     * The largest number of remembered versions. It exceeds the number of objects that a run can have in use: one for
     * each open task, times a few levels of nested shards.
     */
    private static final int MAX = 16 * WorkUnit.WINDOW;

    /** The state of an object in an answer. */
    public record Seen(boolean exists, Optional<String> version) {
        /** The state of an object that does not exist. */
        public static final Seen ABSENT = new Seen(false, Optional.empty());

        /** Returns the state of an existing object; the store may not report its version. */
        public static Seen of(Optional<String> version) {
            return new Seen(true, version);
        }

        @Override
        public String toString() {
            return exists ? version.map(v -> "version " + v).orElse("an unknown version") : "no object";
        }
    }

    /** The states that answers have shown, or that need no confirmation; the least recently used one comes first. */
    private final Map<String, Seen> confirmed = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MAX;
        }
    };
    /** The states of objects for which the run has used only cached values. */
    private final Map<String, Seen> unconfirmed = new HashMap<>();

    /** Returns the known state of {@code key} in this run. */
    Optional<Seen> get(String key) {
        return Optional.ofNullable(unconfirmed.get(key)).or(() -> Optional.ofNullable(confirmed.get(key)));
    }

    /**
     * Assumes that the object has {@code version}, which an earlier call saw so recently that no request needs to
     * confirm it, or which cannot change.
     */
    void assumeConfirmed(String key, String version) {
        confirmed.put(key, Seen.of(Optional.of(version)));
    }

    /** Assumes that the object has {@code version}, which an earlier call saw and an answer has yet to confirm. */
    void assumeUnconfirmed(String key, String version) {
        unconfirmed.put(key, Seen.of(Optional.of(version)));
    }

    /**
     * Records the state in an answer.
     *
     * @throws ObjectChangedException if it differs from an earlier one
     */
    void confirm(String key, Seen state) {
        Optional<Seen> earlier = get(key);
        if (earlier.isPresent() && !earlier.get().equals(state)) {
            throw new ObjectChangedException("expected " + earlier.get() + ", found " + state);
        }
        unconfirmed.remove(key);
        confirmed.put(key, state);
    }

    /** Returns whether an answer has shown the state of {@code key} in this run. */
    boolean isConfirmed(String key) {
        return confirmed.containsKey(key) && !unconfirmed.containsKey(key);
    }

    /** Returns the objects for which the run has used only cached values. */
    Map<String, Seen> unconfirmed() {
        return unconfirmed;
    }
}
