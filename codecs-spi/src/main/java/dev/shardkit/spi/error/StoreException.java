package dev.shardkit.spi.error;

import java.util.Optional;

/**
 * The store failed: transport, a refusal, a short body, a lock, the disk; anything that is neither the bytes asked for
 * nor a definite "not found". Trying again later may help.
 */
public non-sealed class StoreException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Says what was expected and what was found. */
    public StoreException(String message) {
        super(message, Optional.empty());
    }

    /** Says what was expected and what was found, and what failed beneath. */
    public StoreException(String message, Throwable cause) {
        super(message, Optional.of(cause));
    }
}
