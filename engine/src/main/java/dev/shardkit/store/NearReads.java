package dev.shardkit.store;

import java.io.IOException;
import java.util.Optional;

/**
 * Reads that return when they are done: files, memory. Only {@link #open} must be there. An {@link IOException} is any
 * failure; absence is never one. Thread-safe.
 */
public non-sealed interface NearReads extends Reads {
    /** The object under {@code key} as it is now; empty if there definitely is none. */
    Optional<Snapshot> open(String key) throws IOException;

    /**
     * As {@link #open}, for a writer who holds the object's lock, or owns the object: it does not wait for a patch that
     * was cut short, or that another owner has under way.
     */
    default Optional<Snapshot> openToChange(String key) throws IOException {
        return open(key);
    }

    /**
     * The version of the object under {@code key}, as a snapshot that {@link #openToChange} gives now would tell it;
     * empty if there definitely is none.
     */
    default Optional<String> version(String key) throws IOException {
        Optional<Snapshot> found = openToChange(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (Snapshot object = found.get()) {
            return Optional.of(object.version());
        }
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.local();
    }
}
