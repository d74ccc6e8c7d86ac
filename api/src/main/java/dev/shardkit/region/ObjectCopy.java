package dev.shardkit.region;

import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Copies one stored object between two nodes, which may be in different stores. */
public final class ObjectCopy {
    private ObjectCopy() {}

    /**
     * Returns whether the server of the target's store can copy objects of the source's store, without their bytes
     * passing through this program.
     */
    public static boolean isInside(Store from, Store to) {
        return to.find(Copies.class).filter(copies -> copies.copiesFrom(from)).isPresent();
    }

    /**
     * Copies an object to another key, byte for byte. Returns its size, or -1 if it does not exist. The listener of the
     * target receives the write, and that of the source the bytes that left its store.
     */
    public static long run(StoredNode from, String fromKey, StoredNode to, String toKey) {
        return run(from, fromKey, to, toKey, OptionalLong.empty());
    }

    /**
     * Copies an object as {@link #run(StoredNode, String, StoredNode, String)} does.
     *
     * @param listed the size that a listing had; a copy on a server then asks for none
     */
    public static long run(StoredNode from, String fromKey, StoredNode to, String toKey, OptionalLong listed) {
        long size = copied(from, fromKey, to, toKey, listed);
        if (size >= 0) {
            QuietListener.of(to.session().options().listener()).onWrite(toKey, WritePolicy.Strategy.REWRITE, size);
        }
        return size;
    }

    private static long copied(StoredNode from, String fromKey, StoredNode to, String toKey, OptionalLong listed) {
        Durability durability = to.session().options().writing().durability();
        Store source = from.session().store();
        if (isInside(source, to.session().store())) {
            return to.store(store -> {
                Copies copies = store.store().need(Copies.class, "copying chunks");
                boolean copied = copies.copyFrom(source, fromKey, toKey, durability);
                return !copied ? -1L : listed.isPresent() ? listed.getAsLong() : size(store, toKey);
            });
        }
        if (!from.session().isNear()) {
            Optional<Bytes> whole = from.call(() -> Source.stored(fromKey)
                    .read(
                            ByteRange.whole(Limits.LARGEST_CHUNK),
                            (answer, scratch) -> answer instanceof ReadResult.Found f
                                    ? Optional.of(f.bytes().copy())
                                    : Optional.empty()));
            whole.ifPresent(bytes -> put(to, toKey, Content.of(bytes)));
            return whole.map(Bytes::size).orElse(-1L);
        }
        long began = System.nanoTime();
        long size = from.store(store -> near(store, fromKey, to, toKey));
        if (size >= 0) {
            QuietListener.of(from.session().options().listener())
                    .onResponse(fromKey, ByteRange.whole(size), size, Duration.ofNanos(System.nanoTime() - began));
        }
        return size;
    }

    /** Stores an object. A failure names the target. */
    private static void put(StoredNode to, String key, Content content) {
        to.session().writable("copying chunks");
        to.store(store -> {
            store.put(key, content, to.session().options().writing().durability());
            return Unit.UNIT;
        });
    }

    private static long size(StoreAccess store, String key) throws IOException {
        Optional<Snapshot> found = store.open(key);
        if (found.isEmpty()) {
            return 0; // deleted meanwhile
        }
        try (Snapshot object = found.get()) {
            return object.size();
        }
    }

    private static long near(StoreAccess store, String fromKey, StoredNode to, String toKey) throws IOException {
        Optional<Snapshot> found = store.open(fromKey);
        if (found.isEmpty()) {
            return -1L;
        }
        try (Snapshot object = found.get()) {
            put(to, toKey, Content.of(object));
            try {
                object.confirm();
            } catch (IOException | RuntimeException e) {
                to.session().objects().delete(toKey); // the source changed: the copy mixes two versions
                throw e;
            }
            return object.size();
        }
    }
}
