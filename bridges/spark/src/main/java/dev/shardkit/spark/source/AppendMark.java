package dev.shardkit.spark.source;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * An object in the target that marks a running append. A later append replaces the mark; then the tasks of the earlier
 * append begin no more shards. A task checks the mark before each shard, so it still completes the shard that it is
 * writing.
 */
final class AppendMark implements AutoCloseable {
    static final String KEY = "__spark_append";

    private final Store store;
    private final byte[] content;

    private AppendMark(Store store, byte[] content) {
        this.store = store;
        this.content = content;
    }

    /** Marks the target with the unique {@code content} of an append. */
    static AppendMark put(Store store, byte[] content) {
        try {
            BlockingStore.to(store).put(KEY, Content.of(Bytes.of(content)), Durability.FORCED);
        } catch (IOException e) {
            throw failed(store, "marking", e);
        }
        return new AppendMark(store, content);
    }

    /** Stops an append that may still be running: its tasks begin no more shards. */
    static void remove(Store store) {
        try {
            BlockingStore.to(store).delete(KEY);
        } catch (IOException e) {
            throw failed(store, "ending", e);
        }
    }

    /** Whether the target has the mark with this content. */
    static boolean isThere(Store store, byte[] content) {
        try {
            Optional<ObjectSnapshot> found = BlockingStore.to(store).open(KEY);
            if (found.isEmpty()) {
                return false;
            }
            try (ObjectSnapshot mark = found.get()) {
                ByteBuffer bytes = ByteBuffer.allocate(content.length);
                if (mark.size() == content.length) {
                    mark.read(0, bytes);
                }
                return Arrays.equals(bytes.array(), content);
            }
        } catch (IOException e) {
            throw failed(store, "reading the mark of", e);
        }
    }

    private static StoreException failed(Store store, String doing, IOException e) {
        return new StoreException(doing + " an append to " + store.describe() + " failed", e);
    }

    /** Removes the mark, unless a later append has replaced it. */
    @Override
    public void close() {
        if (isThere(store, content)) {
            try {
                BlockingStore.to(store).delete(KEY);
            } catch (IOException e) {
                throw failed(store, "removing the mark of", e);
            }
        }
    }
}
