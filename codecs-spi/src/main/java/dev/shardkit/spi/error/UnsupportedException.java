package dev.shardkit.spi.error;

import java.util.Optional;

/**
 * Legal, but not to be had here: an extension that no plug-in claims, or a capability that the store or codec lacks.
 * The caller can add a plug-in or choose another store.
 */
public final class UnsupportedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Says what was expected and what was found. */
    public UnsupportedException(String message) {
        super(message, Optional.empty());
    }

    /** Says what was expected and what was found, and what failed beneath. */
    public UnsupportedException(String message, Throwable cause) {
        super(message, Optional.of(cause));
    }
}
