package dev.shardkit.spi.error;

/**
 * The answer to a change was lost, or the server did not end it in time, and the store cannot tell whether the change
 * was made. It was made once or not at all: read what is stored before repeating the call.
 */
public final class UnknownOutcomeException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an error with the failure that hides the outcome. */
    public UnknownOutcomeException(String message, Throwable cause) {
        super(message, cause);
    }
}
