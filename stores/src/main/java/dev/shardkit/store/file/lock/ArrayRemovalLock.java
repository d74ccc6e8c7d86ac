package dev.shardkit.store.file.lock;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.keys.KeyLocks;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Holds all locks of an array at once, for its removal. If the file system has no locks among processes, acquiring it
 * only waits until no thread of this process uses a lock of the array; it does not exclude writers that come later.
 * Closing it releases the locks.
 */
public final class ArrayRemovalLock implements AutoCloseable {
    /** The pause between two attempts, in nanoseconds. */
    private static final long PAUSE = 500_000;

    /**
     * The end of a wait for several locks.
     *
     * @param patience the length of the wait, for messages
     * @param end the end, by {@link System#nanoTime}
     */
    public record Deadline(Duration patience, long end) {
        public static Deadline in(Duration patience) {
            return new Deadline(patience, System.nanoTime() + KeyLocks.nanos(patience));
        }

        private boolean isOver() {
            return System.nanoTime() - end > 0;
        }
    }

    private final SharedLockFile file;
    private final @Nullable FileLock lock;

    private ArrayRemovalLock(SharedLockFile file, @Nullable FileLock lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Waits until no lock of the file is held.
     *
     * @param path a lock file, by its real path
     */
    public static ArrayRemovalLock acquire(Path path, Deadline deadline) throws IOException {
        SharedLockFile file = SharedLockFile.open(path);
        Optional<ArrayRemovalLock> acquired = Optional.empty();
        try {
            while (acquired.isEmpty()) {
                Optional<FileLock> lock = tryLock(file, path);
                if (lock.isPresent() || (!file.isLockable() && !LockFile.isInUse(path))) {
                    acquired = Optional.of(new ArrayRemovalLock(file, lock.orElse(null)));
                } else if (deadline.isOver()) {
                    throw new StoreException("cannot delete: other writers held the locks of " + path + " for "
                            + KeyLocks.text(deadline.patience()) + "; a lock is held by "
                            + LockFile.holder(path, file));
                } else {
                    LockSupport.parkNanos(PAUSE);
                    if (Thread.currentThread().isInterrupted()) {
                        throw new StoreException("interrupted while waiting for the locks of " + path);
                    }
                }
            }
            return acquired.get();
        } finally {
            if (acquired.isEmpty()) {
                file.close();
            }
        }
    }

    /**
     * Locks the whole file; empty if a lock of it is held. File systems in memory may grant the lock although a thread
     * of this process holds one.
     */
    private static Optional<FileLock> tryLock(SharedLockFile file, Path path) throws IOException {
        Optional<FileLock> lock = Optional.ofNullable(file.tryLockAll());
        if (lock.isPresent() && LockFile.isHeld(path)) {
            lock.get().release();
            return Optional.empty();
        }
        return lock;
    }

    @Override
    public void close() throws IOException {
        try {
            if (lock != null) {
                lock.release();
            }
        } finally {
            file.close();
        }
    }
}
