package dev.shardkit.store;

import dev.shardkit.spi.error.StoreException;

/**
 * Thrown if an object no longer has the version that a read has pinned. The engine retries the read, a bounded number
 * of times.
 */
public final class ObjectChangedException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message that names the expected and the found version. */
    public ObjectChangedException(String message) {
        super(message);
    }
}
