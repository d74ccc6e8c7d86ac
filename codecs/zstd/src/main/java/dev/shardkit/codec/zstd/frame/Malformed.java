package dev.shardkit.codec.zstd.frame;

/**
 * A frame that breaks the format, at a place in the array. Never leaves the package: {@link ZstdDecoder} translates.
 */
final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int at;

    /** Of what is malformed at index {@code at} of the array; without a stack, as mutated input may make many. */
    Malformed(int at, String message) {
        super(message, null, false, false);
        this.at = at;
    }

    /** The index in the array. */
    int at() {
        return at;
    }
}
