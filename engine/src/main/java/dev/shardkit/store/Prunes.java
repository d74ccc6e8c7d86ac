package dev.shardkit.store;

import java.io.IOException;

/** Removes whole trees. Thread-safe. */
public interface Prunes extends Ability {
    /**
     * Removes all keys below {@code prefix}, with what the store itself keeps there (locks, temporary files). Waits for
     * the locks that others hold there, a minute at most: what such a holder has put is removed too, and a lock that is
     * taken afterwards has another {@link Locks.Lock#generation}.
     */
    void deleteAll(String prefix) throws IOException;
}
