package dev.shardkit.store.file.lock;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.keys.KeyLocks;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lock file of one array. Each lock is a lock of the operating system on one byte of the file, at the offset
 * {@code slot}. It excludes other processes but not other threads of this one, because the system grants a process a
 * lock that it already holds. So a thread first acquires a fair lock within the process. Thread-safe.
 */
public final class LockFile {
    /**
     * The lock files in use, by real path. The table is static, because all stores of the process must share the fair
     * locks. An entry is removed with its last user. Stores of another class loader have a table of their own and
     * behave like another process.
     */
    private static final ConcurrentHashMap<Path, LockFile> IN_USE = new ConcurrentHashMap<>();

    /** The first pause between two attempts, in nanoseconds; each further one is twice as long. */
    private static final long FIRST_PAUSE = 100_000;

    private static final long LONGEST_PAUSE = 2_000_000;

    /** The number of successive holders within this process after which other processes get a chance. */
    private static final int HANDOVERS = 32;

    /** The number of times that a deleted lock file is opened again. */
    private static final int TRIES = 100;

    private static final String NAMELESS = "an unknown process";

    static {
        Completions.load(); // so that a release needs no memory for loading classes
    }

    private final Path path;
    private final LockHolders holders;
    /** The fair locks within the process, by slot. */
    private final KeyLocks<Long> local = new KeyLocks<>();

    /** How often threads of this process have handed a lock to each other in a row, by slot. */
    private final ConcurrentHashMap<Long, Integer> handovers = new ConcurrentHashMap<>();

    /** The number of held locks; waiting threads do not count. */
    private final AtomicInteger heldLocks = new AtomicInteger();

    /** The number of threads that hold or wait for a lock. Changed only within {@link #IN_USE}'s computations. */
    private int users;

    private LockFile(Path path) {
        this.path = path;
        this.holders = LockHolders.beside(path);
    }

    /**
     * Acquires a lock.
     *
     * @param path the real path of the lock file; its directory exists
     * @param slot the offset of the byte to lock
     * @param nanos the maximum wait, in nanoseconds
     * @param refused creates the exception for a failure, from a description of the holder
     */
    public static Held acquire(Path path, long slot, long nanos, Function<String, StoreException> refused)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        LockFile file = IN_USE.compute(path, (realPath, old) -> {
            LockFile lockFile = old == null ? new LockFile(realPath) : old;
            lockFile.users++;
            return lockFile;
        });
        Optional<Held> acquired = Optional.empty();
        try {
            acquired = file.acquire(slot, start, nanos);
            return acquired.orElseThrow(() -> refused.apply(file.holder(slot)));
        } finally {
            if (acquired.isEmpty()) {
                file.leave();
            }
        }
    }

    /** Returns whether a thread of this class loader holds or waits for a lock of the file at {@code path}. */
    public static boolean isInUse(Path path) {
        return IN_USE.containsKey(path);
    }

    /** Returns whether a thread of this class loader holds a lock of the file at {@code path}. */
    static boolean isHeld(Path path) {
        LockFile file = IN_USE.get(path);
        return file != null && file.heldLocks.get() > 0;
    }

    /** Describes a holder of any lock of the file at {@code path}, which is open as {@code file}. */
    static String holder(Path path, SharedLockFile file) {
        LockFile lockFile = IN_USE.get(path);
        Optional<String> holderInProcess = lockFile == null
                ? Optional.empty()
                : lockFile.local.held().stream()
                        .flatMap(slot -> lockFile.local.holder(slot).stream())
                        .findFirst();
        return holderInProcess.or(() -> LockHolders.beside(path).anyOf(file)).orElse(NAMELESS);
    }

    private String holder(long slot) {
        return local.holder(slot).or(() -> holders.lastHolder(slot)).orElse(NAMELESS);
    }

    private Optional<Held> acquire(long slot, long start, long nanos) throws IOException, InterruptedException {
        Optional<KeyLocks<Long>.Held> localLock = local.acquire(slot, nanos);
        if (localLock.isEmpty()) {
            return Optional.empty();
        }
        Optional<Held> acquired = Optional.empty();
        try {
            pauseForOthers(slot);
            acquired = lock(slot, localLock.get(), start, nanos);
            return acquired;
        } finally {
            if (acquired.isEmpty()) {
                localLock.get().release();
            }
        }
    }

    /** Locks the file for a thread that holds the lock within the process. */
    private Optional<Held> lock(long slot, KeyLocks<Long>.Held localLock, long start, long nanos)
            throws IOException, InterruptedException {
        SharedLockFile file = SharedLockFile.open(path);
        Optional<Held> acquired = Optional.empty();
        try {
            long pause = FIRST_PAUSE;
            for (int deletions = 0; ; ) {
                FileLock lock = file.tryLock(slot);
                if (lock != null && !isCurrent(file, lock)) {
                    // The file was deleted with its array, and perhaps created again, so this lock would not exclude
                    // other processes.
                    if (++deletions == TRIES) {
                        throw new IOException("the lock file " + path + " was deleted repeatedly");
                    }
                    file.close();
                    file = SharedLockFile.open(path);
                    continue;
                } else if (lock != null || !file.isLockable()) { // or there are no system locks
                    acquired = register(slot, localLock, file, lock);
                    return acquired;
                }
                long remaining = nanos - (System.nanoTime() - start);
                if (remaining <= 0) {
                    return acquired;
                }
                LockSupport.parkNanos(Math.min(
                        remaining, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2)));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                pause = Math.min(LONGEST_PAUSE, pause * 2);
            }
        } finally {
            if (acquired.isEmpty()) {
                file.close();
            }
        }
    }

    /** Returns the acquired lock after recording its holder; releases the system's lock if that fails. */
    private Optional<Held> register(
            long slot, KeyLocks<Long>.Held localLock, SharedLockFile file, @Nullable FileLock lock) throws IOException {
        boolean registered = false;
        try {
            if (lock != null) {
                holders.recordHolder(slot);
            }
            Optional<Held> acquired = Optional.of(new Held(slot, localLock, file, lock, file.generation()));
            this.heldLocks.incrementAndGet();
            registered = true;
            return acquired;
        } finally {
            if (!registered) {
                release(lock);
            }
        }
    }

    /** Releases a lock even if memory runs out, because otherwise no thread would ever get it again. */
    private static void release(@Nullable FileLock lock) throws IOException {
        if (lock != null) {
            Completions.close(lock);
        }
    }

    /**
     * Returns whether the locked file is still at its path, so that other processes lock the same file. Releases the
     * lock if it is not, or if the check fails.
     */
    private static boolean isCurrent(SharedLockFile file, FileLock lock) throws IOException {
        boolean current = false;
        try {
            current = file.isCurrent();
            return current;
        } finally {
            if (!current) {
                release(lock);
            }
        }
    }

    /**
     * Pauses from time to time before taking the system's lock, because other processes can only poll for it. Without
     * the pause, threads that hand the lock to each other would never leave a gap. The pause is longer than the longest
     * pause between two polls.
     */
    private void pauseForOthers(long slot) {
        if (handovers.getOrDefault(slot, 0) >= HANDOVERS) {
            handovers.remove(slot);
            LockSupport.parkNanos(LONGEST_PAUSE + LONGEST_PAUSE / 2);
        }
    }

    private void leave(KeyLocks<Long>.Held localLock, SharedLockFile file) throws IOException {
        try {
            localLock.release();
        } finally {
            try {
                leave();
            } finally {
                file.close();
            }
        }
    }

    /** Ends one use of this object. The last user removes it from the table. */
    private void leave() {
        IN_USE.computeIfPresent(path, (unused, file) -> --file.users > 0 ? file : null);
    }

    /** A held lock. Releasing it twice does nothing. */
    public final class Held implements Locks.Lock {
        private final long slot;
        private final KeyLocks<Long>.Held localLock;
        private final SharedLockFile file;
        private final @Nullable FileLock lock;
        private final String generation;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Held(
                long slot,
                KeyLocks<Long>.Held localLock,
                SharedLockFile file,
                @Nullable FileLock lock,
                String generation) {
            this.slot = slot;
            this.localLock = localLock;
            this.file = file;
            this.lock = lock;
            this.generation = generation;
        }

        @Override
        public String generation() {
            return generation;
        }

        /** Runs all steps even if one of them fails, for example because memory runs out. */
        @Override
        public void close() throws IOException {
            if (!open.compareAndSet(true, false)) {
                return;
            }
            try {
                LockFile.release(lock);
            } finally {
                LockFile.this.heldLocks.decrementAndGet();
                try {
                    countHandover();
                } finally {
                    leave(localLock, file);
                }
            }
        }

        private void countHandover() {
            if (localLock.isWantedByOthers()) {
                handovers.merge(slot, 1, Integer::sum);
            } else {
                handovers.remove(slot);
            }
        }
    }
}
