package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;

/**
 * Puts an object in steps: its bytes reach the store piece by piece, before the last bytes are known, and one put makes
 * them visible. For local stores: calls block. Thread-safe.
 */
public interface StagedPuts extends Ability {
    /**
     * Begins an object that {@link Staged#put} will store under {@code key}. Until then, readers see the present object
     * under the key, or none.
     */
    Staged stage(String key) throws IOException;

    /**
     * The first bytes of a new object. Used by one thread at a time, except for {@link #read}. After {@link #put} has
     * stored the object, only {@link #read} and {@link #close} may follow; its bytes no longer change.
     */
    interface Staged extends AutoCloseable {
        /** Appends {@code bytes}. A failed call leaves the size unchanged. */
        void append(Bytes bytes) throws IOException;

        /** Returns the number of staged bytes. */
        long size();

        /** Removes all bytes from {@code size} on. */
        void truncate(long size) throws IOException;

        /**
         * Returns staged bytes, which stay valid until the object is closed. They need not be in memory at once.
         * Several threads may call this at once.
         */
        Bytes read(long offset, long size) throws IOException;

        /**
         * Stores the staged bytes, followed by {@code tail}, under the key. As atomic as {@link Writes#put}, and
         * without a condition: the caller holds the object's lock or owns the object. If it fails and {@link #isStored}
         * returns false, the staged bytes are as before, and the call can be repeated.
         */
        void put(Content tail, Durability durability) throws IOException;

        /** Returns whether {@link #put} has stored the object. */
        boolean isStored();

        /** Frees the object, and discards the staged bytes unless they were stored. A no-op if called again. */
        @Override
        void close() throws IOException;
    }
}
