package dev.shardkit.spi.error;

import java.util.Optional;

/**
 * Metadata that cannot be: bad JSON, a bad or contradictory configuration, an illegal name, an impossible shape. The
 * caller can only have the metadata mended.
 */
public final class MetadataException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Says what was expected and what was found. */
    public MetadataException(String message) {
        super(message, Optional.empty());
    }

    /** Says what was expected and what was found, and what failed beneath. */
    public MetadataException(String message, Throwable cause) {
        super(message, Optional.of(cause));
    }
}
