package dev.shardkit.spi.error;

/**
 * Valid data or a valid request that is not supported here: no plug-in claims an extension, or the store or codec lacks
 * a capability. Adding a plug-in or choosing another store helps.
 */
public final class UnsupportedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message contains the expected and the actual value. */
    public UnsupportedException(String message) {
        super(message, null);
    }

    /** Creates an error with the underlying cause. */
    public UnsupportedException(String message, Throwable cause) {
        super(message, cause);
    }
}
