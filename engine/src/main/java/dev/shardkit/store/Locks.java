package dev.shardkit.store;

import java.io.IOException;
import java.time.Duration;

/** Locks objects against other writers, in this process and others. Reading needs no lock. Thread-safe. */
public interface Locks extends Ability {
    /**
     * Acquires the lock of one object; blocks until then. The engine calls it on threads that may wait.
     *
     * @param array the key of the array's node, below which the store may keep lock files
     * @param key the object
     * @param patience how long to wait
     * @throws dev.shardkit.spi.error.StoreException if another writer holds the lock for longer than {@code patience}
     */
    Lock lock(String array, String key, Duration patience) throws IOException;

    /** A held lock. */
    interface Lock extends AutoCloseable {
        /**
         * Returns a mark of the array: the same for all its locks until {@link TreeDeletions#deleteAll} removes the
         * array, and a different one for an array that is created in its place. Empty, the default, if the store has no
         * such mark.
         */
        default String generation() {
            return "";
        }

        /** Releases the lock. */
        @Override
        void close() throws IOException;
    }
}
