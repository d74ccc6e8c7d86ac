package dev.shardkit.spi.error;

/**
 * A chunk, a shard or an inner chunk is not stored, and the caller asked for an error in that case. Without that
 * option, its elements read as the fill value.
 */
public final class MissingChunkException extends CorruptDataException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message names the region that is missing. */
    public MissingChunkException(String message) {
        super(message);
    }
}
