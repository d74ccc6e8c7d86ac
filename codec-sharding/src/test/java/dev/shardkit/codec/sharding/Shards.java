package dev.shardkit.codec.sharding;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Shards written byte by byte. */
final class Shards {
    static final long NONE = -1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Appends int32 words, little-endian. */
    Shards ints(int... words) {
        ByteBuffer b = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        b.asIntBuffer().put(words);
        bytes.writeBytes(b.array());
        return this;
    }

    /** Appends bytes. */
    Shards bytes(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    /** Appends an index without checksum, little-endian. */
    Shards index(long... words) {
        bytes.writeBytes(indexBytes(ByteOrder.LITTLE_ENDIAN, words));
        return this;
    }

    static byte[] indexBytes(ByteOrder order, long... words) {
        ByteBuffer b = ByteBuffer.allocate(8 * words.length).order(order);
        b.asLongBuffer().put(words);
        return b.array();
    }

    int size() {
        return bytes.size();
    }

    byte[] done() {
        return bytes.toByteArray();
    }
}
