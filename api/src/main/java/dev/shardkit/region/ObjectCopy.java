package dev.shardkit.region;

import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Copies one stored object, such as a chunk, between two nodes, which may be in different stores. */
public final class ObjectCopy {
    private ObjectCopy() {}

    /**
     * Returns whether a copy from {@code source} to {@code target} runs inside the target's server. The bytes then do
     * not pass through this program.
     */
    public static boolean isInside(Store source, Store target) {
        return target.find(Copies.class)
                .filter(copies -> copies.copiesFrom(source))
                .isPresent();
    }

    /**
     * Copies an object to another key, byte for byte. Returns its size, or -1 if it does not exist. The target's
     * listener is notified that an object was written. If this program has read the bytes, the source's listener is
     * notified of the read.
     */
    public static long run(StoredNode source, String fromKey, StoredNode target, String toKey) {
        return run(source, fromKey, target, toKey, OptionalLong.empty());
    }

    /**
     * Copies an object as {@link #run(StoredNode, String, StoredNode, String)} does.
     *
     * @param listed the size from a listing. If it is present, a copy on the server needs no request for the size
     */
    public static long run(StoredNode source, String fromKey, StoredNode target, String toKey, OptionalLong listed) {
        long size = copy(source, fromKey, target, toKey, listed);
        if (size >= 0) {
            QuietListener.of(target.session().options().listener())
                    .onWrite(toKey, ShardWritePolicy.Strategy.REWRITE, size);
        }
        return size;
    }

    /** Copies an object and notifies the source's listener. Returns the size, or -1 if the object does not exist. */
    private static long copy(StoredNode source, String fromKey, StoredNode target, String toKey, OptionalLong listed) {
        Durability durability = target.session().options().writing().durability();
        Store sourceStore = source.session().store();
        if (isInside(sourceStore, target.session().store())) { // the server copies
            return target.store(store -> {
                Copies copies = store.store().need(Copies.class, "copying chunks");
                boolean copied = copies.copyFrom(sourceStore, fromKey, toKey, durability);
                if (!copied) {
                    return -1L;
                }
                return listed.isPresent() ? listed.getAsLong() : size(store, toKey);
            });
        }
        if (!source.session().isLocal()) {
            // A remote object is read into memory. The read notifies the source's listener.
            Optional<Bytes> read = source.call(() -> Source.stored(fromKey)
                    .read(
                            ByteRange.whole(Limits.LARGEST_CHUNK),
                            (result, scratch) -> result instanceof ReadResult.Found f
                                    ? Optional.of(f.bytes().copy())
                                    : Optional.empty()));
            read.ifPresent(bytes -> put(target, toKey, Content.of(bytes)));
            return read.map(Bytes::size).orElse(-1L);
        }
        // A local object is copied from its file or memory. Such a read notifies no listener, so this method does.
        long startNanos = System.nanoTime();
        long size = source.store(store -> copyLocal(store, fromKey, target, toKey));
        if (size >= 0) {
            QuietListener.of(source.session().options().listener())
                    .onResponse(fromKey, ByteRange.whole(size), size, Duration.ofNanos(System.nanoTime() - startNanos));
        }
        return size;
    }

    /** Stores an object. The message of a failure names the target. */
    private static void put(StoredNode target, String key, Content content) {
        target.session().writable("copying chunks");
        target.store(store -> {
            store.put(key, content, target.session().options().writing().durability());
            return NoResult.INSTANCE;
        });
    }

    /** Returns the size of a copied object. */
    private static long size(BlockingStore store, String key) throws IOException {
        Optional<ObjectSnapshot> found = store.open(key);
        if (found.isEmpty()) {
            return 0; // another program has deleted the copy meanwhile
        }
        try (ObjectSnapshot object = found.get()) {
            return object.size();
        }
    }

    /** Copies an object of a local store (files or memory). Returns its size, or -1 if it does not exist. */
    private static long copyLocal(BlockingStore store, String fromKey, StoredNode target, String toKey)
            throws IOException {
        Optional<ObjectSnapshot> found = store.open(fromKey);
        if (found.isEmpty()) {
            return -1L;
        }
        try (ObjectSnapshot object = found.get()) {
            put(target, toKey, Content.of(object));
            try {
                object.confirm();
            } catch (IOException | RuntimeException e) {
                // The source may have changed during the copy, which would then mix two versions.
                target.session().objects().delete(toKey);
                throw e;
            }
            return object.size();
        }
    }
}
