package dev.shardkit.codec.zstd.frame;

/**
 * Signals a format error of a frame at a position in the array. Never leaves the decoder: {@code ZstdDecoder} converts
 * it to an error of the codec.
 */
public final class MalformedFrame extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    /**
     * Creates an error at index {@code offset} of the array; without a stack trace, because mutated input may cause
     * many.
     */
    public MalformedFrame(int offset, String message) {
        super(message, null, false, false);
        this.position = offset;
    }

    /** Returns the index in the array. */
    public int position() {
        return position;
    }
}
