package dev.shardkit.store;

import java.io.IOException;
import java.util.Optional;

/**
 * Reads of a local store (files, memory), whose calls block. A store must implement {@link #open}; the other methods
 * have defaults. Any failure is an {@link IOException}; a missing object is not a failure. Thread-safe.
 */
public non-sealed interface LocalReads extends Reads {
    /** Opens the object under {@code key} as it is now; empty if it definitely does not exist. */
    Optional<ObjectSnapshot> open(String key) throws IOException;

    /**
     * Opens the object as {@link #open} does, but does not wait for an interrupted patch, or for a running patch of
     * another owner. Called by a writer that holds the object's lock or owns the object.
     */
    default Optional<ObjectSnapshot> openToChange(String key) throws IOException {
        return open(key);
    }

    /**
     * Returns the current version of the object under {@code key}: that of a snapshot by {@link #openToChange}. Empty
     * if the object definitely does not exist.
     */
    default Optional<String> version(String key) throws IOException {
        Optional<ObjectSnapshot> snapshot = openToChange(key);
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = snapshot.get()) {
            return Optional.of(object.version());
        }
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.local();
    }
}
