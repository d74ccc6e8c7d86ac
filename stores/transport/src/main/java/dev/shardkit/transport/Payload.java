package dev.shardkit.transport;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The body of a request: known pieces in memory, in order. A body can be sent any number of times, so a request can be
 * repeated. Its size is known, so it is sent with a {@code Content-Length}. Immutable, if the callers leave the bytes
 * alone.
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

    /** Makes a body of the remaining bytes of all {@code pieces}. The bytes are not copied and must not change. */
    public static Payload of(List<ByteBuffer> pieces) {
        return new Payload(pieces.stream().map(ByteBuffer::asReadOnlyBuffer).toList());
    }

    /** Returns how many bytes the body has. */
    public long size() {
        return size;
    }

    /** Returns the pieces, each from its beginning: views that are the caller's to read. */
    public List<ByteBuffer> pieces() {
        return pieces.stream().map(ByteBuffer::duplicate).toList();
    }
}
