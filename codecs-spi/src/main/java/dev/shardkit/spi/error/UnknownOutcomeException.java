package dev.shardkit.spi.error;

/**
 * The response to a change was lost, or the server did not complete the change in time, and the store does not know
 * whether the change was made. It was made once or not at all. Read the stored data before you repeat the call.
 */
public final class UnknownOutcomeException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an error with the failure that hides the outcome. */
    public UnknownOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
