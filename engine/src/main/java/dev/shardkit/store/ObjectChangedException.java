package dev.shardkit.store;

import dev.shardkit.spi.error.StoreException;

/**
 * An object no longer has the version that a read has pinned. The engine retries the read, a bounded number of times.
 */
public final class ObjectChangedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Says which version was expected and which was found. */
    public ObjectChangedException(String message) {
        super(message);
    }
}
