package dev.shardkit.codec.deflate;

/** A stream whose content exceeds the room. Never leaves this package: {@link DeflateDecoder} converts it. */
final class RoomExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RoomExceeded() {
        super("the content exceeds its limit", null, false, false);
    }
}
