package dev.shardkit.fuzz;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Bytes in memory, as the content of a stored object. */
record Stored(byte[] bytes) implements Content {
    static void put(BlockingStore store, String key, byte[] bytes) {
        try {
            store.put(key, new Stored(bytes), Durability.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public void writeTo(WritableByteChannel out) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            out.write(left);
        }
    }
}
