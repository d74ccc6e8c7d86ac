package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.StoreCalls;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Runs work under the lock of an object of a node. In a store without locks, the work runs without one. Stateless. */
public final class NodeLock {
    private final StoreCalls calls;
    private final String node;
    private final Duration patience;

    public NodeLock(ZarrArray array) {
        this(new StoreCalls(array), array.path(), array.options().lockPatience());
    }

    /**
     * Runs work under locks of the node at the path {@code node}.
     *
     * @param patience how long a call waits for a lock
     */
    public NodeLock(StoreCalls calls, String node, Duration patience) {
        this.calls = calls;
        this.node = node;
        this.patience = patience;
    }

    /**
     * Waits for a lock and runs the work while it is held.
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
