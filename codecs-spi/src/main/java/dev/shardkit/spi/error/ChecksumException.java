package dev.shardkit.spi.error;

/** A stored checksum does not match the bytes that it covers. */
public final class ChecksumException extends CorruptDataException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message names the checksum, the stored value and the computed value. */
    public ChecksumException(String message) {
        super(message);
    }

    /** Creates an error with the underlying cause. */
    public ChecksumException(String message, Throwable cause) {
        super(message, cause);
    }
}
