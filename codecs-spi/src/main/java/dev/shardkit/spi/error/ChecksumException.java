package dev.shardkit.spi.error;

/** A checksum that does not match the bytes it covers. */
public final class ChecksumException extends CorruptDataException {
    private static final long serialVersionUID = 1L;

    /** Says which checksum, what was stored and what was computed. */
    public ChecksumException(String message) {
        super(message);
    }

    /** Says which checksum, and what failed beneath. */
    public ChecksumException(String message, Throwable cause) {
        super(message, cause);
    }
}
