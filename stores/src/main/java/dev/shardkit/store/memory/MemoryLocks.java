package dev.shardkit.store.memory;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks.Lock;
import dev.shardkit.store.internal.KeyLocks;
import dev.shardkit.store.internal.Keys;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** The locks of a store in memory, which hold within the process. Thread-safe. */
final class MemoryLocks {
    private final KeyLocks<LockName> locks = new KeyLocks<>();
    private final String store;

    /** @param store the name of the store, for messages */
    MemoryLocks(String store) {
        this.store = store;
    }

    /**
     * Acquires the lock of an object.
     *
     * @param generation returns the generation of the locks at a key of the store, while this lock is held
     */
    Lock acquire(String array, String key, Duration patience, Function<String, String> generation) {
        LockName name = new LockName(array, key);
        KeyLocks<LockName>.Held held = held(name, patience, () -> "of " + key + " of array \"" + array + "\"");
        boolean taken = false;
        try {
            Lock lock = new MemoryLock(held, generation.apply(name.place()), new AtomicBoolean(true));
            taken = true;
            return lock;
        } finally {
            if (!taken) {
                held.release();
            }
        }
    }

    /** Waits until the locks that are held below a prefix are released, for all of them at most {@code patience}. */
    void awaitBelow(String prefix, Duration patience) {
        String start = StoreKeys.prefix(prefix);
        long end = System.nanoTime() + KeyLocks.nanos(patience);
        for (LockName name : locks.held()) {
            if (name.place().startsWith(start)) {
                Supplier<String> what = () -> "of " + name.key() + ", to delete all below \"" + prefix + "\",";
                held(name, Math.max(0, end - System.nanoTime()), patience, what).release();
            }
        }
    }

    private KeyLocks<LockName>.Held held(LockName key, Duration patience, Supplier<String> what) {
        return held(key, KeyLocks.nanos(patience), patience, what);
    }

    private KeyLocks<LockName>.Held held(LockName key, long nanos, Duration patience, Supplier<String> what) {
        try {
            return locks.acquire(key, nanos)
                    .orElseThrow(() -> new StoreException("the lock " + what.get() + " in " + store
                            + " was not free for " + KeyLocks.text(patience)
                            + locks.holder(key).map(h -> ": it is held by " + h).orElse("")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the lock of " + key.key() + " in " + store, e);
        }
    }

    /** The name of a lock. As in files, the locks of an array are in the array's own folder. */
    private record LockName(String array, String key) {
        String place() {
            return StoreKeys.join(array, Keys.RESERVED + "/lock");
        }
    }

    /** A held lock, until it is closed for the first time. */
    private record MemoryLock(KeyLocks<LockName>.Held held, String generation, AtomicBoolean open) implements Lock {
        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                held.release();
            }
        }
    }
}
