package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Runs work while it holds the lock of an object of a node. In a store without locks, the work runs without a lock.
 * Immutable.
 */
public final class NodeLock {
    private final StoreCalls calls;
    private final String node;
    private final Duration patience;

    /** Creates an object that acquires locks of an array, and waits as long as the array's options say. */
    public NodeLock(ZarrArray array) {
        this(new StoreCalls(array), array.path(), array.options().lockPatience());
    }

    /**
     * Creates an object that acquires locks of the node at the path {@code node}.
     *
     * @param patience the longest time that a call waits for a lock
     */
    public NodeLock(StoreCalls calls, String node, Duration patience) {
        this.calls = calls;
        this.node = node;
        this.patience = patience;
    }

    /**
     * Acquires a lock, runs the work, and releases the lock.
     *
     * @param key the object whose lock is held, as in {@link Locks#lock}
     */
    @SuppressWarnings("try")
    public <T> T whileHolding(String key, Supplier<T> work) {
        if (!calls.store().can(Locks.class)) {
            return work.get();
        }
        Locks.Lock held = calls.get(store -> store.lock(node, key, patience));
        try (held) {
            return work.get();
        } catch (IOException e) {
            throw new StoreException("the lock could not be released: " + e, e);
        }
    }
}
