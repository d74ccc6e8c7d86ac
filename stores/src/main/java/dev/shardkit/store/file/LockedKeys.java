package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.patch.Patch;
import dev.shardkit.store.internal.OpenHandles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the holders of locks know of the objects that they have locked, until they release the locks: the real paths,
 * and that no patch was interrupted. Each would otherwise be found again by every call of one change, with a system
 * call for each name of the path. So if a program that does not ask for locks leads a path elsewhere in the meantime, a
 * patch goes to the old place, and an object is neither replaced nor deleted. Thread-safe.
 */
final class LockedKeys {
    private final StoreDirectory tree;
    private final ConcurrentHashMap<String, Held> keys = new ConcurrentHashMap<>();

    LockedKeys(StoreDirectory tree) {
        this.tree = tree;
    }

    /** Acquires the lock of a key, see {@link Locks#lock}. */
    Locks.Lock lock(String array, String key, Duration patience) {
        Held held = new Held(key, patience);
        Locks.Lock lock = new TreeLocks(tree).acquire(array, key, patience);
        held.lock = lock;
        try {
            keys.put(key, held);
        } catch (OutOfMemoryError e) {
            return lock; // nothing is remembered
        }
        return held;
    }

    /** Returns the real path of the object of {@code key}, as {@link StoreDirectory#real} does. */
    Path real(String key, Path path) throws IOException {
        Held held = keys.get(key);
        Path known = held == null ? null : held.real;
        if (known != null) {
            return known;
        }
        Path real = tree.real(path);
        if (held != null) {
            held.real = real;
        }
        return real;
    }

    /** Returns the real path of the object of {@code key}, or the path that it would have. */
    Path place(String key, Path path) throws IOException {
        try {
            return real(key, path);
        } catch (NoSuchFileException e) {
            return tree.place(path);
        }
    }

    /**
     * Forgets an object that is about to be replaced or deleted: its path may lead elsewhere then.
     *
     * @throws StoreException if it does already, so that what the holder has read is another object
     */
    void forget(String key) {
        Held held = keys.get(key);
        if (held == null) {
            return;
        }
        Path known = held.real;
        held.forget();
        if (known != null && !known.equals(now(key, known))) {
            throw new StoreException("changing " + key + " in " + tree.describe() + ": expected " + known
                    + ", to which the path led when it was locked, found that it leads elsewhere");
        }
    }

    private Path now(String key, Path known) {
        try {
            return tree.real(tree.path(key));
        } catch (IOException e) {
            return known; // absent, or the change itself will fail
        }
    }

    /** Returns the patience with which the lock of a key was acquired, for other programs that have its file open. */
    Duration patience(String key) {
        Held held = keys.get(key);
        return held == null ? OpenHandles.PATIENCE : held.patience;
    }

    /** Forgets all objects. */
    void forgetAll() {
        keys.values().forEach(Held::forget);
    }

    /** Records whether an object, if its lock is held, has no journals of earlier patches. */
    void settled(String key, boolean settled) {
        Held held = keys.get(key);
        if (held != null) {
            held.settled = settled;
        }
    }

    /** Returns what is known of earlier patches of an object. */
    Patch.Earlier earlier(String key) {
        Held held = keys.get(key);
        return held != null && held.settled ? Patch.Earlier.SETTLED : Patch.Earlier.UNKNOWN;
    }

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
            Locks.Lock held = lock;
            return held == null ? "" : held.generation();
        }

        @Override
        public void close() throws IOException {
            try {
                keys.remove(key, this);
            } finally {
                Locks.Lock held = lock;
                if (held != null) {
                    held.close();
                }
            }
        }
    }
}
