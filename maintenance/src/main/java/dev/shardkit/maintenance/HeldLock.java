package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import java.io.IOException;
import java.util.function.Supplier;

/** Holds locks of an array during work. In a store without locks, the work runs without one. Stateless. */
final class HeldLock {
    private final ZarrArray array;

    HeldLock(ZarrArray array) {
        this.array = array;
    }

    /** Waits for the lock as long as the array's options allow, and runs the work while it is held. */
    @SuppressWarnings("try")
    <T> T whileHolding(String key, Supplier<T> work) {
        StoreCalls calls = new StoreCalls(array);
        if (!calls.store().can(Locks.class)) {
            return work.get();
        }
        Locks.Lock held =
                calls.get(store -> store.lock(array.path(), key, array.options().lockPatience()));
        try (held) {
            return work.get();
        } catch (IOException e) {
            throw new StoreException("the lock could not be released: " + e, e);
        }
    }
}
