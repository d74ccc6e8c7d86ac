package dev.shardkit.store;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Deletes all objects below a prefix in one call. Thread-safe. */
public interface TreeDeletions extends Ability {
    /**
     * Removes all objects below {@code prefix}, and the store's own files there (locks, temporary files). Waits at most
     * a minute for locks that other writers hold there; objects that they have put are removed too. A lock that is
     * acquired afterwards has another {@link Locks.Lock#generation}.
     *
     * @throws dev.shardkit.spi.error.StoreException if another writer holds such a lock for longer; the message says
     *     who holds it, and all nodes are as they were
     */
    void deleteAll(String prefix) throws IOException;

    /**
     * Does the same as {@link #deleteAll(String)}, but waits at most {@code patience} for all locks together. Stores
     * with {@link Locks} implement this method; other stores have nothing to wait for.
     */
    default void deleteAll(String prefix, Duration patience) throws IOException {
        deleteAll(prefix);
    }

    /**
     * Visits the objects that {@link #deleteAll} removes and that {@link Listings} leave out: those with one of
     * {@linkplain OwnNames#isBelowOwn shardkit's own names}, in no order. The default visits none.
     *
     * @param names receives the keys relative to {@code prefix}
     */
    default void reserved(String prefix, Consumer<String> names) throws IOException {
        return; // visits none
    }
}
