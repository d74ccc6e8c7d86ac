package dev.shardkit.codec.deflate;

/**
 * Signals a format error of a stream. Never leaves the package: {@link DeflateDecoder} converts it to an error of the
 * codec.
 */
final class MalformedStream extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    /**
     * Creates an error near index {@code offset} of the array; without a stack trace, because mutated input may cause
     * many.
     */
    MalformedStream(int offset, String message) {
        super(message, null, false, false);
        this.position = offset;
    }

    /** Returns the index in the array. */
    int position() {
        return position;
    }
}
