package dev.shardkit.spi.error;

/**
 * Invalid metadata: bad JSON, an invalid or contradictory configuration, an illegal name or an impossible shape. Only
 * correcting the metadata helps.
 */
public final class MetadataException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message contains the expected and the actual value. */
    public MetadataException(String message) {
        super(message, null);
    }

    /** Creates an error with the underlying cause. */
    public MetadataException(String message, Throwable cause) {
        super(message, cause);
    }
}
