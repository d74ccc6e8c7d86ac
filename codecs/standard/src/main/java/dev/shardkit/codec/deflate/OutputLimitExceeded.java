package dev.shardkit.codec.deflate;

/**
 * Signals that the content of a stream exceeds the memory for it. Never leaves this package: {@link DeflateDecoder}
 * converts it.
 */
final class OutputLimitExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputLimitExceeded() {
        super("the content exceeds its limit", null, false, false);
    }
}
