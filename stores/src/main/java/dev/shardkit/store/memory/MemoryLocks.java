package dev.shardkit.store.memory;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks.Lock;
import dev.shardkit.store.keys.KeyLocks;
import dev.shardkit.store.keys.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** The locks of a store in memory. They exclude threads of this process only. Thread-safe. */
final class MemoryLocks {
    private final KeyLocks<LockName> locks = new KeyLocks<>();
    private final String store;
    /** The prefixes of keys that are being deleted. Guarded by this object. */
    private final List<String> deletions = new ArrayList<>();

    /** @param store the name of the store, for messages */
    MemoryLocks(String store) {
        this.store = store;
    }

    /**
     * Acquires the lock of an object. Waits while the array is being deleted; if the deletion fails, acquires the lock
     * nevertheless.
     *
     * @param generation returns the generation of the array's locks, from the key of the array's lock object; called
     *     while this lock is held
     */
    Lock acquire(String array, String key, Duration patience, Function<String, String> generation) {
        LockName name = new LockName(array, key);
        KeyLocks<LockName>.Held local = acquireLocal(name, patience);
        boolean isAcquired = false;
        try {
            Lock lock = new MemoryLock(local, generation.apply(name.objectKey()), new AtomicBoolean(true));
            isAcquired = true;
            return lock;
        } finally {
            if (!isAcquired) {
                local.release();
            }
        }
    }

    private KeyLocks<LockName>.Held acquireLocal(LockName name, Duration patience) {
        Supplier<String> description = () -> "of " + name.key() + " of array \"" + name.array() + "\"";
        long end = System.nanoTime() + KeyLocks.nanos(patience);
        while (true) {
            // If this thread holds a lock, the deletion may wait for it, so this thread must not wait for the deletion.
            boolean mustNotWait = isBeingDeleted(name) && locks.isHolding(Thread.currentThread());
            if (!mustNotWait) {
                awaitDeletion(name, end, patience, description);
            }
            KeyLocks<LockName>.Held lock =
                    acquireLocal(name, Math.max(0, end - System.nanoTime()), patience, description);
            if (mustNotWait || !isBeingDeleted(name)) {
                return lock;
            }
            lock.release();
        }
    }

    private synchronized boolean isBeingDeleted(LockName name) {
        return deletions.stream().anyMatch(name.objectKey()::startsWith);
    }

    private synchronized void awaitDeletion(LockName name, long end, Duration patience, Supplier<String> description) {
        try {
            while (isBeingDeleted(name)) {
                long remaining = end - System.nanoTime();
                if (remaining <= 0) {
                    throw new StoreException("the lock " + description.get() + " in " + store + " was not free for "
                            + KeyLocks.text(patience) + ": the array is being deleted");
                }
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            }
        } catch (InterruptedException e) {
            throw interrupted(name, e);
        }
    }

    /**
     * Deletes all objects below a prefix once all locks there are released. Waits at most {@code patience} for all
     * locks together. Until then nothing changes, so running writes are not affected if the deletion fails.
     *
     * @param deletion deletes the objects
     */
    void deleteBelow(String prefix, Duration patience, Runnable deletion) {
        String start = StoreKeys.prefix(prefix);
        synchronized (this) {
            deletions.add(start);
        }
        try {
            long end = System.nanoTime() + KeyLocks.nanos(patience);
            // During the wait, a thread that holds a lock may acquire more, so repeat until no lock is held.
            for (List<LockName> lockedNames = lockedBelow(start);
                    !lockedNames.isEmpty();
                    lockedNames = lockedBelow(start)) {
                for (LockName name : lockedNames) {
                    Supplier<String> description =
                            () -> "of " + name.key() + ", to delete all below \"" + prefix + "\",";
                    acquireLocal(name, Math.max(0, end - System.nanoTime()), patience, description)
                            .release();
                }
            }
            deletion.run();
        } finally {
            synchronized (this) {
                deletions.remove(start);
                notifyAll();
            }
        }
    }

    private List<LockName> lockedBelow(String start) {
        return locks.held().stream()
                .filter(name -> name.objectKey().startsWith(start))
                .toList();
    }

    private KeyLocks<LockName>.Held acquireLocal(
            LockName key, long nanos, Duration patience, Supplier<String> description) {
        try {
            return locks.acquire(key, nanos)
                    .orElseThrow(() -> new StoreException("the lock " + description.get() + " in " + store
                            + " was not free for " + KeyLocks.text(patience)
                            + locks.holder(key)
                                    .map(holder -> ": it is held by " + holder)
                                    .orElse("")));
        } catch (InterruptedException e) {
            throw interrupted(key, e);
        }
    }

    private StoreException interrupted(LockName key, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new StoreException("interrupted while waiting for the lock of " + key.key() + " in " + store, cause);
    }

    /** The name of a lock. */
    private record LockName(String array, String key) {
        /** Returns the key of the array's lock object. As in a file store, it is in the array's own folder. */
        String objectKey() {
            return StoreKeys.join(array, Keys.RESERVED + "/lock");
        }
    }

    /** A held lock. Closing it twice does nothing. */
    private record MemoryLock(KeyLocks<LockName>.Held local, String generation, AtomicBoolean open) implements Lock {
        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                local.release();
            }
        }
    }
}
