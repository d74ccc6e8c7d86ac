package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.base.HeldLock;
import dev.shardkit.maintenance.base.StoreCalls;
import dev.shardkit.maintenance.base.StoredObjects;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/** The object at the root of a store that holds the record of a {@link Replacement}, and its lock. Stateless. */
public final class ReplacementFile {
    /** The name of the object. */
    public static final String KEY = "__replacement";

    private static final int MAX_BYTES = 64 << 20;

    private final StoreAccess store;
    private final StoreCalls calls;

    public ReplacementFile(Store store) {
        this.store = StoreAccess.to(store);
        this.calls = new StoreCalls(this.store, store.describe());
    }

    /** Returns the location of the object, for messages. */
    public String location() {
        return StoreKeys.location(store.describe(), KEY);
    }

    /** Does work while no other call changes the record or the objects that it names. */
    public <T> T alone(ZarrOptions options, Supplier<T> work) {
        return new HeldLock(calls, "", options.lockPatience()).whileHolding(KEY, work);
    }

    public Optional<ReplacementRecord> record(Limits limits) {
        return read().map(bytes -> ReplacementRecord.parse(bytes.toArray(), location(), limits));
    }

    public Optional<Bytes> read() {
        return calls.get(s -> StoredObjects.find(s, KEY, object -> {
            if (object.size() > MAX_BYTES) {
                throw new StoreException(
                        location() + ": expected at most " + MAX_BYTES + " bytes, found " + object.size());
            }
            ByteBuffer all = ByteBuffer.allocate((int) object.size());
            object.read(0, all);
            return Bytes.of(Arrays.copyOf(all.array(), all.position()));
        }));
    }

    public void write(ReplacementRecord record, ZarrOptions options) {
        Bytes bytes = record.print();
        if (bytes.size() > MAX_BYTES) {
            throw new UnsupportedException(
                    "the record of a replacement has " + bytes.size() + " bytes, expected at most " + MAX_BYTES);
        }
        calls.run(s -> s.put(KEY, Content.of(bytes), options.durability()));
    }

    public void delete() {
        calls.run(s -> s.delete(KEY));
    }
}
