package dev.shardkit.store;

import java.io.IOException;

/** Removes whole trees. Thread-safe. */
public interface Prunes extends Ability {
    /**
     * Removes all objects below {@code prefix}, and the store's own files there (locks, temporary files). Waits at most
     * a minute for locks that other writers hold there; objects that they have put are removed too. A lock that is
     * acquired afterwards has another {@link Locks.Lock#generation}.
     */
    void deleteAll(String prefix) throws IOException;
}
