package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.patch.JournaledPatch;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Caches facts about locked objects that stay valid while the locks are held: the real path, and whether earlier
 * patches are completed. Without the cache, every call of a change would determine the facts again, with a system call
 * for each name of the path. If a program that takes no locks redirects a link in the path meanwhile, a patch still
 * changes the old file, and a put or delete fails. Thread-safe.
 */
final class LockedObjects {
    private final StoreDirectory tree;
    private final ConcurrentHashMap<String, Held> keys = new ConcurrentHashMap<>();

    LockedObjects(StoreDirectory tree) {
        this.tree = tree;
    }

    /** Acquires the lock of a key, see {@link Locks#lock}. */
    Locks.Lock lock(String array, String key, Duration patience) {
        Held lockedKey = new Held(key, patience);
        Locks.Lock lock = new KeyLockRanges(tree).acquire(array, key, patience);
        lockedKey.lock = lock;
        try {
            keys.put(key, lockedKey);
        } catch (OutOfMemoryError e) {
            return lock; // without a cache entry
        }
        return lockedKey;
    }

    /** Returns the real path of the object of {@code key}, as {@link StoreDirectory#real} does. */
    Path real(String key, Path path) throws IOException {
        Held lockedKey = keys.get(key);
        Path cached = lockedKey == null ? null : lockedKey.real;
        if (cached != null) {
            return cached;
        }
        Path real = tree.real(path);
        if (lockedKey != null) {
            lockedKey.real = real;
        }
        return real;
    }

    /** Returns the real path of the object of {@code key}; if it does not exist, the path that it would have. */
    Path realOrFuture(String key, Path path) throws IOException {
        try {
            return real(key, path);
        } catch (NoSuchFileException e) {
            return tree.realOrFuture(path);
        }
    }

    /**
     * Forgets an object that is about to be replaced or deleted, because its path may lead elsewhere afterwards.
     *
     * @throws StoreException if the path already leads elsewhere, so the lock's holder has read another object
     */
    void forget(String key) {
        Held lockedKey = keys.get(key);
        if (lockedKey == null) {
            return;
        }
        Path cached = lockedKey.real;
        lockedKey.forget();
        if (cached != null && !cached.equals(currentPath(key, cached))) {
            throw new StoreException("changing " + key + " in " + tree.describe() + ": expected " + cached
                    + ", to which the path led when it was locked, found that it leads elsewhere");
        }
    }

    private Path currentPath(String key, Path fallback) {
        try {
            return tree.real(tree.path(key));
        } catch (IOException e) {
            return fallback; // the object is absent, or the change itself will fail
        }
    }

    /**
     * Returns how long a change of an object may wait for programs that have its file open (on Windows): as long as the
     * caller was ready to wait for the lock.
     */
    Duration patience(String key) {
        Held lockedKey = keys.get(key);
        return lockedKey == null ? OpenFileReplacement.PATIENCE : lockedKey.patience;
    }

    /** Forgets all objects. */
    void forgetAll() {
        keys.values().forEach(Held::forget);
    }

    /**
     * Records whether an object is free of journals of earlier patches. Does nothing if its lock is not held.
     *
     * @param settled whether there are no such journals
     */
    void settled(String key, boolean settled) {
        Held lockedKey = keys.get(key);
        if (lockedKey != null) {
            lockedKey.settled = settled;
        }
    }

    /** Returns whether the lock's holder knows that no earlier patch of the object is unfinished. */
    JournaledPatch.Earlier earlier(String key) {
        Held lockedKey = keys.get(key);
        return lockedKey != null && lockedKey.settled ? JournaledPatch.Earlier.SETTLED : JournaledPatch.Earlier.UNKNOWN;
    }

    /** The lock of an object, and the cached facts. */
    private final class Held implements Locks.Lock {
        private final String key;
        private final Duration patience;
        private volatile Locks.@Nullable Lock lock;
        private volatile @Nullable Path real;
        private volatile boolean settled;

        Held(String key, Duration patience) {
            this.key = key;
            this.patience = patience;
        }

        void forget() {
            real = null;
            settled = false;
        }

        @Override
        public String generation() {
            Locks.Lock acquired = lock;
            return acquired == null ? "" : acquired.generation();
        }

        @Override
        public void close() throws IOException {
            try {
                keys.remove(key, this);
            } finally {
                Locks.Lock acquired = lock;
                if (acquired != null) {
                    acquired.close();
                }
            }
        }
    }
}
