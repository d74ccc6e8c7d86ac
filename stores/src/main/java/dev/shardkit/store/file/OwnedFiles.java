package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.file.open.LocalFiles;
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
 * Keeps files open between the changes of an owner ({@link Patches#openOwned}), because resolving links, opening a file
 * and looking for journals takes several times as many system calls as changing it. While a file is open, its inode is
 * not reused, so a path that leads to this inode leads to the file that was checked. Each open file has one user at a
 * time. Keeps up to {@value #MAX} idle files for some seconds, on local disks only; they count towards the limit of
 * {@link OpenFiles} for the process. The monitor guards the table, but is not held for system calls.
 */
final class OwnedFiles {
    private static final int MAX = 16;
    private static final long LONGEST_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Set<OpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final StoreDirectory tree;
    private final TreePatches patching;
    private final LocalFiles local;
    private final AtomicInteger ofAll;
    private final Map<String, OwnedFile> idle = new LinkedHashMap<>();
    /** Counts the calls of {@link #drop} and {@link #dropAll}. */
    private final AtomicLong drops = new AtomicLong();

    private boolean closed;
    private boolean sweeping;

    /**
     * Keeps files of {@code tree}; {@code patching} makes changes that need a journal; {@code ofAll} counts the files
     * that all stores keep.
     */
    OwnedFiles(StoreDirectory tree, TreePatches patching, LocalFiles local, AtomicInteger ofAll) {
        this.tree = tree;
        this.patching = patching;
        this.local = local;
        this.ofAll = ofAll;
    }

    /**
     * Opens an object; empty if there is none, or if it cannot be changed this way: it is not on a local disk, is a
     * lock file, may not be written, or an earlier patch was interrupted.
     */
    Optional<Patches.Owned> open(String key) {
        Path path = tree.path(key);
        return tree.call(path, "opening", key, Optional.empty(), () -> {
            long drops = this.drops.get();
            FileState now = FileState.of(path);
            Optional<OwnedFile> kept = take(key);
            if (kept.isPresent() && kept.get().hasIdentity(now)) {
                return Optional.of(new OwnedObject(this, key, kept.get(), now, drops));
            }
            kept.ifPresent(this::close);
            return open(path, key, drops);
        });
    }

    private Optional<Patches.Owned> open(Path path, String key, long drops) throws IOException {
        Path real = tree.real(path);
        FileState before = FileState.of(real);
        JournalDirectory place = JournalDirectory.of(real);
        if (before.kind() != FileState.Kind.FILE
                || before.fileKey().isEmpty()
                || !local.holds(real)
                || LockRegistry.isInUse(real, before.fileKey().get())
                || Recovery.isDue(place)) {
            return Optional.empty();
        }
        FileChannel channel;
        try {
            place.mark();
            channel = FileChannel.open(real, CHANGE);
        } catch (FileSystemException | UnsupportedException e) {
            return Optional.empty(); // the file cannot be changed in place; the caller may still replace it
        }
        OwnedFile file = new OwnedFile(real, before.fileKey().get(), channel);
        ofAll.incrementAndGet();
        FileState now = stateOf(file);
        if (!file.hasIdentity(now)) {
            close(file);
            return Optional.empty();
        }
        return Optional.of(new OwnedObject(this, key, file, now, drops));
    }

    TreePatches patching() {
        return patching;
    }

    StoreException failed(String what, String key, IOException cause) {
        return tree.failed(what, key, cause);
    }

    private FileState stateOf(OwnedFile file) throws IOException {
        try {
            return FileState.of(file.path());
        } catch (IOException | RuntimeException e) {
            close(file);
            throw e;
        }
    }

    private synchronized Optional<OwnedFile> take(String key) {
        return Optional.ofNullable(idle.remove(key));
    }

    /**
     * Keeps a file open after its {@link OwnedObject} was closed.
     *
     * @param since the value of {@link #drops} when the object was opened: if files were dropped since, the file may
     *     have been replaced or deleted
     */
    void release(String key, OwnedFile file, long since) {
        List<OwnedFile> done = new ArrayList<>();
        synchronized (this) {
            if (closed
                    || drops.get() != since
                    || !file.channel().isOpen()
                    || ofAll.get() > OpenFiles.MAX_OF_ALL
                    || !scheduleSweep()) {
                done.add(file);
            } else {
                file.idleSince(System.nanoTime());
                Optional.ofNullable(idle.put(key, file)).ifPresent(done::add);
                done.addAll(removeExcess());
            }
        }
        done.forEach(this::close);
    }

    /** Closes the file of {@code key}, which is about to be replaced or deleted. */
    void drop(String key) {
        drops.incrementAndGet();
        take(key).ifPresent(this::close);
    }

    /** Closes all idle files. */
    void dropAll() {
        List<OwnedFile> all;
        drops.incrementAndGet();
        synchronized (this) {
            all = List.copyOf(idle.values());
            idle.clear();
        }
        all.forEach(this::close);
    }

    /** Closes all idle files, and keeps none from now on. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        dropAll();
    }

    private List<OwnedFile> removeExcess() {
        List<OwnedFile> out = new ArrayList<>();
        Iterator<OwnedFile> oldest = idle.values().iterator();
        while (idle.size() > MAX) {
            out.add(oldest.next());
            oldest.remove();
        }
        return out;
    }

    /**
     * Schedules a sweep, because there may be no later call that closes idle files; returns whether it is scheduled.
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

    private void sweep() {
        List<OwnedFile> done = new ArrayList<>();
        synchronized (this) {
            sweeping = false;
            long now = System.nanoTime();
            idle.values().removeIf(f -> now - f.idleSince() >= LONGEST_IDLE_NANOS && done.add(f));
            if (!idle.isEmpty() && !scheduleSweep()) {
                done.addAll(idle.values());
                idle.clear();
            }
        }
        done.forEach(this::close);
    }

    /** Closes a file instead of keeping it. */
    void close(OwnedFile file) {
        ofAll.decrementAndGet();
        try {
            file.channel().close();
        } catch (IOException e) {
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }
}
