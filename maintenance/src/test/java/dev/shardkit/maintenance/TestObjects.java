package dev.shardkit.maintenance;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads stored objects as bytes. */
public final class TestObjects {
    private TestObjects() {}

    public static byte[] get(Store store, String key) {
        try (ObjectSnapshot object = BlockingStore.to(store).open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
            object.read(0, bytes);
            return bytes.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void put(Store store, String key, String text) {
        put(store, key, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void put(Store store, String key, byte[] bytes) {
        try {
            BlockingStore.to(store).put(key, Content.of(Bytes.of(bytes)), Durability.ATOMIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
