package dev.shardkit.transport;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The body of a request: pieces in memory, in order. It can be sent any number of times, so a request can be retried.
 * Its size is known, so it is sent with a {@code Content-Length}. Immutable as long as callers do not change the bytes.
 */
public final class Payload {
    /** No body. */
    public static final Payload NONE = new Payload(List.of());

    private final List<ByteBuffer> pieces;
    private final long size;

    private Payload(List<ByteBuffer> pieces) {
        this.pieces = pieces;
        this.size = pieces.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Returns a body with the remaining bytes of all {@code pieces}. The bytes are not copied and must not change. */
    public static Payload of(List<ByteBuffer> pieces) {
        return new Payload(pieces.stream().map(ByteBuffer::asReadOnlyBuffer).toList());
    }

    /** Returns the size in bytes. */
    public long size() {
        return size;
    }

    /** Returns views of the pieces, each positioned at its beginning. Each call returns new views. */
    public List<ByteBuffer> pieces() {
        return pieces.stream().map(ByteBuffer::duplicate).toList();
    }
}
