package dev.shardkit.codec.zstd.frame;

/** A block that holds more than there is room for. Never leaves this package: {@link ZstdDecoder} translates. */
final class RoomExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RoomExceeded() {
        super("a block holds more than there is room for", null, false, false);
    }
}
