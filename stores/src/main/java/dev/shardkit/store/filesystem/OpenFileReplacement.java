package dev.shardkit.store.filesystem;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.keys.KeyLocks;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.DosFileAttributeView;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * Replaces and deletes files that may be open. On POSIX systems this is always possible. Windows refuses to replace a
 * file that any program has open. A deleted file keeps its name there, and denies all access, until its last handle is
 * closed. So on Windows this class first closes the handles of this process, which open the file again when they are
 * used, and retries while other programs have the file open. Thread-safe.
 */
public final class OpenFileReplacement {
    /** How long a change waits for other programs, if the caller holds no lock with a patience of its own. */
    public static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The first pause between two attempts, in nanoseconds; each further one is twice as long. */
    private static final long FIRST_PAUSE = 200_000;

    private static final long LONGEST_PAUSE = 20_000_000;

    /** The maximum number of attempts of {@link #retrying}, which take about a second in all. */
    private static final int MAX_ATTEMPTS = 60;

    private static final String WINDOWS = "\\";

    /**
     * Locks of files, chosen by the hash of the path. Opening a file takes the read lock, a change the write lock, so
     * no thread opens a file during its change.
     */
    private static final ReentrantReadWriteLock[] GATES =
            Stream.generate(ReentrantReadWriteLock::new).limit(64).toArray(ReentrantReadWriteLock[]::new);

    /** The registered handles of each file; always empty on POSIX systems. */
    private static final ConcurrentHashMap<Path, Set<Handle>> OPEN = new ConcurrentHashMap<>();

    private OpenFileReplacement() {}

    /** An open file of this process. */
    public interface Handle {
        /** Closes the file. The next use of the handle opens it again. Does not wait for {@link #opening}. */
        void release() throws IOException;
    }

    /** A call that uses files. */
    @FunctionalInterface
    public interface Call<T> {
        T run() throws IOException;
    }

    /** A call that replaces or deletes a file. */
    @FunctionalInterface
    public interface Change {
        void run() throws IOException;
    }

    /**
     * Returns whether open files hinder changes of {@code path}: whether its file system is one of Windows. There, an
     * open or mapped file cannot be replaced, and a file that is deleted while it is open keeps its name.
     */
    public static boolean hinder(Path path) {
        return path.getFileSystem().getSeparator().equals(WINDOWS);
    }

    /**
     * Returns whether a call may have failed because a thread or program has {@code path} open, moves it or deletes it.
     * Only Windows has such failures.
     */
    public static boolean isRefusal(Path path, IOException failure) {
        return hinder(path) && failure instanceof FileSystemException refusal && isRefusal(refusal);
    }

    /** Runs a call that opens a file and registers its handle ({@link #add}), while no change of the file runs. */
    public static <T> T opening(Path file, Call<T> call) throws IOException {
        if (!hinder(file)) {
            return call.run();
        }
        ReentrantReadWriteLock.ReadLock gate = gate(file).readLock();
        gate.lock();
        try {
            return call.run();
        } finally {
            gate.unlock();
        }
    }

    /** Registers a handle of a file. */
    public static void add(Path file, Handle handle) {
        if (hinder(file)) {
            OPEN.compute(file, (sameFile, old) -> {
                Set<Handle> handles = old == null ? ConcurrentHashMap.newKeySet() : old;
                handles.add(handle);
                return handles;
            });
        }
    }

    /** Removes a handle that was closed. */
    public static void remove(Path file, Handle handle) {
        if (hinder(file)) {
            OPEN.computeIfPresent(file, (sameFile, handles) -> {
                handles.remove(handle);
                return handles.isEmpty() ? null : handles;
            });
        }
    }

    /**
     * Replaces, moves or deletes the file at {@code file}. On Windows it releases the handles of this process, and
     * retries until {@code patience} expires while another program has the file open.
     *
     * @throws FileSystemException if another program keeps it open
     */
    public static void change(Path file, Duration patience, Change change) throws IOException {
        if (!hinder(file)) {
            change.run();
            return;
        }
        Optional<FileSystemException> refused = tried(change); // some file systems of Windows do allow it
        long start = System.nanoTime();
        for (long pause = FIRST_PAUSE; refused.isPresent(); pause = Math.min(LONGEST_PAUSE, pause * 2)) {
            if (!mayBeOpen(file)) {
                throw refused.get();
            }
            refused = releasing(file, change);
            if (refused.isPresent() && System.nanoTime() - start >= KeyLocks.nanos(patience)) {
                throw inUse(file, patience, refused.get());
            } else if (refused.isPresent()) {
                pause(file, pause);
            }
        }
    }

    /** Closes all handles of this process, then makes the change. Returns its failure as {@link #tried} does. */
    private static Optional<FileSystemException> releasing(Path file, Change change) throws IOException {
        ReentrantReadWriteLock.WriteLock gate = gate(file).writeLock();
        gate.lock();
        try {
            release(file);
            return tried(change);
        } finally {
            gate.unlock();
        }
    }

    private static void release(Path file) throws IOException {
        for (Handle handle : OPEN.getOrDefault(file, Set.of())) {
            handle.release();
        }
    }

    /** Closes the handles of this process to the file at {@code folder}, or to all files below it. */
    public static void releaseBelow(Path folder) throws IOException {
        for (Path file : OPEN.keySet()) {
            if (file.startsWith(folder)) {
                release(file);
            }
        }
    }

    /** Makes the change; returns its failure if an open handle may be the cause. */
    private static Optional<FileSystemException> tried(Change change) throws IOException {
        try {
            change.run();
            return Optional.empty();
        } catch (FileSystemException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /**
     * Returns whether access was denied, or another handle of the file excludes this access. The second failure has no
     * exception class of its own.
     */
    private static boolean isRefusal(FileSystemException e) {
        return e instanceof AccessDeniedException || e.getClass() == FileSystemException.class;
    }

    /**
     * Returns whether an open handle can be the cause of a failure. Changes of folders and of read-only files fail in
     * the same way without one.
     */
    private static boolean mayBeOpen(Path file) {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        DosFileAttributeView dos =
                Files.getFileAttributeView(file, DosFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            return dos == null || !dos.readAttributes().isReadOnly();
        } catch (IOException e) {
            return true; // the file is being deleted
        }
    }

    private static FileSystemException inUse(Path file, Duration patience, FileSystemException cause) {
        FileSystemException failure = new FileSystemException(
                file.toString(),
                null,
                "another program has " + file + " open, or its permissions refuse the change (retried for "
                        + KeyLocks.text(patience) + "); close it there and run this again");
        failure.initCause(cause);
        return failure;
    }

    private static void pause(Path file, long nanos) {
        LockSupport.parkNanos(nanos);
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreException("interrupted while waiting for another program that has " + file + " open");
        }
    }

    /**
     * Runs a call that finds, lists, opens or creates files while other threads or programs may delete them. On Windows
     * it is retried for about a second while access is refused: a file refuses access while it is moved, and a deleted
     * file or folder until its last handle is closed.
     */
    public static <T> T retrying(Path file, Call<T> call) throws IOException {
        if (!hinder(file)) {
            return call.run();
        }
        long pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                return call.run();
            } catch (FileSystemException e) {
                if (attempt == MAX_ATTEMPTS || !isRefusal(e) || isBelowFile(file)) {
                    throw e;
                }
            }
            pause(file, pause);
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    /** Returns whether a file is in the place of a folder of the path. Waiting does not help then. */
    private static boolean isBelowFile(Path path) {
        Path above = path.getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        return above != null && Files.isRegularFile(above);
    }

    private static ReentrantReadWriteLock gate(Path file) {
        int hash = file.hashCode();
        return GATES[(hash ^ hash >>> 16) & GATES.length - 1]; // uses the upper bits too, like HashMap
    }
}
