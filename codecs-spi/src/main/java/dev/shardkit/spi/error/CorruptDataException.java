package dev.shardkit.spi.error;

/**
 * Stored bytes contradict themselves or the metadata: a shard index, an index entry, a length or a compressed stream. A
 * retry does not help. Other inner chunks may still be readable.
 */
public non-sealed class CorruptDataException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message contains the expected and the actual value. */
    public CorruptDataException(String message) {
        super(message, null);
    }

    /** Creates an error with the underlying cause. */
    public CorruptDataException(String message, Throwable cause) {
        super(message, cause);
    }
}
