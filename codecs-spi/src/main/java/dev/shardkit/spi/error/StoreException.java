package dev.shardkit.spi.error;

/**
 * The store failed: a transport error, a rejected request, a truncated response, a lock or the disk. Any outcome other
 * than the requested bytes or a definite "not found" causes this error. A later retry may help.
 */
public non-sealed class StoreException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message contains the expected and the actual value. */
    public StoreException(String message) {
        super(message, null);
    }

    /** Creates an error with the underlying cause. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
