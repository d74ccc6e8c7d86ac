package dev.shardkit.spi.error;

import java.util.Optional;

/**
 * Stored bytes that contradict themselves or the metadata: an index, an entry, a length, a compressed stream. Reading
 * again does not help; other inner chunks may still be readable.
 */
public non-sealed class CorruptDataException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Says what was expected and what was found. */
    public CorruptDataException(String message) {
        super(message, Optional.empty());
    }

    /** Says what was expected and what was found, and what failed beneath. */
    public CorruptDataException(String message, Throwable cause) {
        super(message, Optional.of(cause));
    }
}
