package dev.shardkit.spi.error;

/**
 * Elements given to be written that the array's codecs have no form for: a number that {@code cast_value} finds out of
 * range, say. The caller's mistake, and nothing of the chunk is written; give other elements, or make the array with
 * another configuration. Thrown by codecs when they encode, never when they decode.
 */
public final class UnencodableException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** An error with the codec, what was expected and what was found. */
    public UnencodableException(String fact) {
        super(fact);
    }
}
