package dev.shardkit.codec.zstd.decoder;

/**
 * Signals that the content of a block exceeds the memory for it. Never leaves this package: {@link ZstdDecoder}
 * converts it.
 */
final class BlockLimitExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BlockLimitExceeded() {
        super("a block's content exceeds its limit", null, false, false);
    }
}
