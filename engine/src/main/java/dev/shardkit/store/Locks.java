package dev.shardkit.store;

import java.io.IOException;
import java.time.Duration;

/** Locks objects against other writers, in this process and others. Reading needs no lock. Thread-safe. */
public interface Locks extends Ability {
    /**
     * Locks one object. Returns when it has the lock: called on threads that may wait.
     *
     * @param array the key of the array's node, below which lock files may lie
     * @param key the object
     * @param patience how long to wait
     * @throws dev.shardkit.spi.error.StoreException if another holds it for longer
     */
    Lock lock(String array, String key, Duration patience) throws IOException;

    /** A held lock. */
    interface Lock extends AutoCloseable {
        /**
         * The same for all locks of one array until {@link Prunes#deleteAll} removes it, and another one for an array
         * that is made in its place; by default the store does not tell.
         */
        default String generation() {
            return "";
        }

        /** Lets go. */
        @Override
        void close() throws IOException;
    }
}
