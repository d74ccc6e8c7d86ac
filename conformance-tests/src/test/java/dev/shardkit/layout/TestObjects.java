package dev.shardkit.layout;

import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/** Objects as bytes. */
final class TestObjects {
    private TestObjects() {}

    static byte[] get(BlockingStore store, String key) {
        try (Snapshot object = store.open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
            object.read(0, bytes);
            return bytes.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void put(BlockingStore store, String key, String text) {
        put(store, key, text.getBytes(StandardCharsets.UTF_8));
    }

    static void put(BlockingStore store, String key, byte[] bytes) {
        try {
            store.put(
                    key,
                    new Content() {
                        @Override
                        public long size() {
                            return bytes.length;
                        }

                        @Override
                        public void writeTo(WritableByteChannel out) throws IOException {
                            out.write(ByteBuffer.wrap(bytes));
                        }
                    },
                    Durability.ATOMIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
