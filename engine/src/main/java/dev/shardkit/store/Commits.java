package dev.shardkit.store;

import java.io.IOException;

/**
 * Publishes changes in one step. Until the commit, only this store sees them; other programs, and other stores of the
 * same place, see the state before the changes. {@link Store#close} commits too, so a caller that failed halfway calls
 * {@link #discard} first. Thread-safe.
 */
public interface Commits extends Ability {
    /**
     * Publishes all changes since the last commit. A no-op if there are none.
     *
     * @throws dev.shardkit.spi.error.StoreException if another program has changed the place since the first of these
     *     changes; nothing is published
     */
    void commit() throws IOException;

    /** Discards all changes since the last commit. A no-op if there are none. */
    void discard() throws IOException;

    /** Returns whether there are changes since the last commit. */
    boolean hasChanges();
}
