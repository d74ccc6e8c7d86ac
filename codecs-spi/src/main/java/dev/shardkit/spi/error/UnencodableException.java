package dev.shardkit.spi.error;

/**
 * The array's codecs cannot encode the given elements: for example, {@code cast_value} finds a number out of range.
 * This is the caller's mistake. Nothing of the chunk is written. Pass other elements, or create the array with another
 * configuration. Codecs throw it only when they encode.
 */
public final class UnencodableException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Creates an error whose message names the codec, the expected and the actual value. */
    public UnencodableException(String fact) {
        super(fact);
    }
}
