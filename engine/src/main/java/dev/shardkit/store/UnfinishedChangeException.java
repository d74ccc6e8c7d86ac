package dev.shardkit.store;

import dev.shardkit.spi.error.StoreException;

/**
 * Thrown if a read finds a change in place that does not end: its writer was interrupted, or made no progress for as
 * long as the store waits. A retry helps if the writer still runs; otherwise the next write to the object, or a repair,
 * completes the change or rolls it back.
 */
public final class UnfinishedChangeException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message that names the object and how long the store has waited. */
    public UnfinishedChangeException(String message) {
        super(message);
    }
}
