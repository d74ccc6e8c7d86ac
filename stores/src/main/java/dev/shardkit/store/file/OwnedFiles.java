package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.file.open.LocalDiskCheck;
import dev.shardkit.store.file.open.OpenFiles;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.Recovery;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps files open between the changes of an array's owner ({@link Patches#openOwned}), because resolving links,
 * opening a file and looking for journals takes several times as many system calls as changing the file. While a file
 * is open, its inode is not reused, so a path that leads to this inode still leads to the file that was checked. Each
 * open file has one user at a time. Up to {@value #MAX} idle files stay open for some seconds, on local disks only;
 * they count towards the process-wide limit of {@link OpenFiles}. Thread-safe: the monitor guards the table of idle
 * files, but is not held during system calls.
 */
final class OwnedFiles {
    private static final int MAX = 16;
    /** How long an idle file stays open. */
    private static final long LONGEST_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Set<OpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final StoreDirectory tree;
    private final FilePatches patches;
    private final LocalDiskCheck local;
    private final AtomicInteger openInProcess;
    /** The idle files, by key, oldest first. */
    private final Map<String, OwnedFile> idle = new LinkedHashMap<>();
    /** Counts the calls of {@link #drop} and {@link #dropAll}. */
    private final AtomicLong dropCount = new AtomicLong();

    private boolean closed;
    private boolean sweeping;

    /**
     * Creates an empty table.
     *
     * @param tree the tree of the files
     * @param patches makes the changes that need a journal
     * @param openInProcess counts the files that all stores of the process keep open
     */
    OwnedFiles(StoreDirectory tree, FilePatches patches, LocalDiskCheck local, AtomicInteger openInProcess) {
        this.tree = tree;
        this.patches = patches;
        this.local = local;
        this.openInProcess = openInProcess;
    }

    /**
     * Opens an object. Returns empty if there is none, or if it cannot be changed this way, because it is not on a
     * local disk, is a lock file, may not be written, or an earlier patch was interrupted.
     */
    Optional<Patches.Owned> open(String key) {
        Path path = tree.path(key);
        return tree.call(path, "opening", key, Optional.empty(), () -> {
            long dropCount = this.dropCount.get();
            FileState current = FileState.of(path);
            Optional<OwnedFile> idleFile = takeIdle(key);
            if (idleFile.isPresent() && idleFile.get().hasIdentity(current)) {
                return Optional.of(new OwnedObject(this, key, idleFile.get(), current, dropCount));
            }
            idleFile.ifPresent(this::close);
            return open(path, key, dropCount);
        });
    }

    private Optional<Patches.Owned> open(Path path, String key, long dropCount) throws IOException {
        Path realPath = tree.real(path);
        FileState opened = FileState.of(realPath);
        JournalDirectory journals = JournalDirectory.of(realPath);
        if (opened.kind() != FileState.Kind.FILE
                || opened.fileKey().isEmpty()
                || !local.holds(realPath)
                || LockRegistry.isInUse(realPath, opened.fileKey().get())
                || Recovery.isDue(journals)) {
            return Optional.empty();
        }
        FileChannel channel;
        try {
            journals.createMark();
            channel = FileChannel.open(realPath, CHANGE);
        } catch (FileSystemException | UnsupportedException e) {
            return Optional.empty(); // the file cannot be changed in place; the caller may still replace it
        }
        OwnedFile file = new OwnedFile(realPath, opened.fileKey().get(), channel);
        openInProcess.incrementAndGet();
        FileState current = stateOf(file);
        if (!file.hasIdentity(current)) { // another file took its place between the check and the opening
            close(file);
            return Optional.empty();
        }
        return Optional.of(new OwnedObject(this, key, file, current, dropCount));
    }

    FilePatches patching() {
        return patches;
    }

    StoreException failed(String operation, String key, IOException cause) {
        return tree.failed(operation, key, cause);
    }

    /** Returns the state of the file at the path of {@code file}; closes {@code file} if that fails. */
    private FileState stateOf(OwnedFile file) throws IOException {
        try {
            return FileState.of(file.path());
        } catch (IOException | RuntimeException e) {
            close(file);
            throw e;
        }
    }

    private synchronized Optional<OwnedFile> takeIdle(String key) {
        return Optional.ofNullable(idle.remove(key));
    }

    /**
     * Keeps a file open after its {@link OwnedObject} was closed, if it may be kept.
     *
     * @param dropsAtOpen the value of {@link #dropCount} when the object was opened: if files were dropped since, the
     *     file may have been replaced or deleted
     */
    void release(String key, OwnedFile file, long dropsAtOpen) {
        List<OwnedFile> toClose = new ArrayList<>();
        synchronized (this) {
            if (closed
                    || dropCount.get() != dropsAtOpen
                    || !file.channel().isOpen()
                    || openInProcess.get() > OpenFiles.MAX_OF_ALL
                    || !scheduleSweep()) {
                toClose.add(file);
            } else {
                file.idleSince(System.nanoTime());
                Optional.ofNullable(idle.put(key, file)).ifPresent(toClose::add);
                toClose.addAll(removeExcess());
            }
        }
        toClose.forEach(this::close);
    }

    /** Closes the file of {@code key}, which is about to be replaced or deleted. */
    void drop(String key) {
        dropCount.incrementAndGet();
        takeIdle(key).ifPresent(this::close);
    }

    /** Closes all idle files. */
    void dropAll() {
        List<OwnedFile> files;
        dropCount.incrementAndGet();
        synchronized (this) {
            files = List.copyOf(idle.values());
            idle.clear();
        }
        files.forEach(this::close);
    }

    /** Closes all idle files, and keeps none from now on. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        dropAll();
    }

    private List<OwnedFile> removeExcess() {
        List<OwnedFile> removed = new ArrayList<>();
        Iterator<OwnedFile> oldest = idle.values().iterator();
        while (idle.size() > MAX) {
            removed.add(oldest.next());
            oldest.remove();
        }
        return removed;
    }

    /**
     * Schedules a sweep that closes idle files, in case no later call does it. Returns whether a sweep is scheduled.
     * See {@link OpenFiles}.
     */
    private boolean scheduleSweep() {
        try {
            if (!sweeping) {
                CompletableFuture.delayedExecutor(LONGEST_IDLE_NANOS, TimeUnit.NANOSECONDS, Runnable::run)
                        .execute(this::sweep);
                sweeping = true;
            }
            return true;
        } catch (RuntimeException | OutOfMemoryError e) {
            return false; // no timer is available: nothing is kept
        }
    }

    /** Closes the files that have been idle for too long, on the JDK's timer thread. */
    private void sweep() {
        List<OwnedFile> toClose = new ArrayList<>();
        synchronized (this) {
            sweeping = false;
            long now = System.nanoTime();
            idle.values().removeIf(file -> now - file.idleSince() >= LONGEST_IDLE_NANOS && toClose.add(file));
            if (!idle.isEmpty() && !scheduleSweep()) {
                toClose.addAll(idle.values());
                idle.clear();
            }
        }
        toClose.forEach(this::close);
    }

    /** Closes a file instead of keeping it. */
    void close(OwnedFile file) {
        openInProcess.decrementAndGet();
        try {
            file.channel().close();
        } catch (IOException e) {
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }
}
