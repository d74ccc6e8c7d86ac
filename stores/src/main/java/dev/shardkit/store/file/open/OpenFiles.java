package dev.shardkit.store.file.open;

import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.disk.FileState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps files open after they were read. Resolving and opening a path costs about ten times as much as reading the
 * file's attributes, which show whether the file is unchanged. A store keeps up to {@value #MAX} files. All stores
 * together keep up to 256 files or a quarter of the process's limit, because some programs never close their stores.
 * Unused files are closed after some seconds. Only files on local disks are kept, because writers can replace these
 * while they are open. Thread-safe: the monitor guards the table, but is not held during system calls.
 */
public final class OpenFiles {
    private static final int MAX = 64;
    /** The maximum number of files of all stores: a quarter of the process's limit, as other code needs files, too. */
    public static final int MAX_OF_ALL = (int) Math.min(256, FileLimit.ofProcess() / 4);

    private final LocalDiskCheck local;
    private final Duration longestIdle;
    private final AtomicInteger openInProcess;
    /** The kept files, by key, least recently used first. */
    private final Map<String, Kept> files = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;
    private boolean sweeping;

    /**
     * Creates an empty table.
     *
     * @param local recognizes files that may be kept
     * @param longestIdle how long a file without readers is kept
     * @param openInProcess counts the files that all stores of the process keep
     */
    public OpenFiles(LocalDiskCheck local, Duration longestIdle, AtomicInteger openInProcess) {
        this.openInProcess = openInProcess;
        this.local = local;
        this.longestIdle = longestIdle;
    }

    /** A file, the number of its readers, and whether it was removed from the table: its last reader then closes it. */
    private static final class Kept {
        private final Path path;
        private final FileSnapshot file;
        private int users = 1;
        private long idleSince;
        private boolean dropped;

        Kept(Path path, FileSnapshot file) {
            this.path = path;
            this.file = file;
        }

        /** Returns whether the path still leads to this file in this state. */
        boolean isCurrent() {
            try {
                return file.isVersion(FileState.of(path));
            } catch (IOException e) {
                return false; // opening the path again will report the failure
            }
        }
    }

    /** Returns the file of {@code key}, if it is open and unchanged. */
    public Optional<ObjectSnapshot> find(String key) {
        Kept keptFile;
        synchronized (this) {
            keptFile = files.get(key);
            if (keptFile == null) {
                return Optional.empty();
            }
            keptFile.users++;
        }
        if (keptFile.isCurrent()) {
            return Optional.of(new Lease(keptFile));
        }
        drop(key, keptFile);
        release(keptFile);
        return Optional.empty();
    }

    /** Caches a file that was just opened, if that saves time. Returns the snapshot for the reader. */
    public ObjectSnapshot keep(String key, Path path, FileSnapshot file) {
        if (!local.holds(file)) {
            return file;
        } else if (openInProcess.incrementAndGet() > MAX_OF_ALL) {
            openInProcess.decrementAndGet();
            return file;
        }
        Kept keptFile = new Kept(path, file);
        Optional<Kept> idle = Optional.empty();
        synchronized (this) {
            if (closed) {
                openInProcess.decrementAndGet();
                return file;
            }
            Kept replaced = files.put(key, keptFile);
            if (replaced != null) {
                replaced.dropped = true;
                idle = Optional.of(replaced).filter(old -> old.users == 0);
            }
        }
        idle.ifPresent(this::close);
        return new Lease(keptFile);
    }

    /** Drops the file of {@code key}, which is about to change: closes it, or lets its last reader close it. */
    public void drop(String key) {
        Kept keptFile;
        synchronized (this) {
            keptFile = files.get(key);
        }
        if (keptFile != null) {
            drop(key, keptFile);
        }
    }

    /** Drops all files. */
    public void dropAll() {
        List<Kept> idle = new ArrayList<>();
        synchronized (this) {
            for (Kept keptFile : files.values()) {
                keptFile.dropped = true;
                if (keptFile.users == 0) {
                    idle.add(keptFile);
                }
            }
            files.clear();
        }
        idle.forEach(this::close);
    }

    /** Drops all files and keeps none from now on. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        dropAll();
    }

    private void drop(String key, Kept keptFile) {
        boolean idle;
        synchronized (this) {
            if (!files.remove(key, keptFile)) {
                return;
            }
            keptFile.dropped = true;
            idle = keptFile.users == 0;
        }
        if (idle) {
            close(keptFile);
        }
    }

    private void release(Kept keptFile) {
        List<Kept> toClose = List.of();
        synchronized (this) {
            keptFile.users--;
            if (keptFile.users == 0) {
                keptFile.idleSince = System.nanoTime();
                toClose = keptFile.dropped ? List.of(keptFile) : removeIdle();
                sweepLater();
            }
        }
        toClose.forEach(this::close);
    }

    /** Removes idle files from the table, and the oldest if there are too many. */
    private List<Kept> removeIdle() {
        List<Kept> removed = List.of();
        Iterator<Kept> oldest = files.values().iterator();
        long now = System.nanoTime();
        while (oldest.hasNext()) {
            Kept keptFile = oldest.next();
            if (keptFile.users > 0) {
                continue;
            } else if (files.size() <= MAX && now - keptFile.idleSince < longestIdle.toNanos()) {
                break;
            }
            oldest.remove();
            keptFile.dropped = true;
            removed = removed.isEmpty() ? new ArrayList<>() : removed;
            removed.add(keptFile);
        }
        return removed;
    }

    /**
     * Schedules a sweep that closes idle files, in case no later call does it. The sweep runs on the JDK's timer thread
     * itself, as closing local files is quick. The default executor would start a thread for each sweep on machines
     * with two cores, and under load, the sweeps of many stores came faster than threads could start.
     */
    private void sweepLater() {
        if (!sweeping && !files.isEmpty()) {
            CompletableFuture.delayedExecutor(longestIdle.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(this::sweep);
            sweeping = true; // only now: if there is no memory for the timer's task, a later call schedules the sweep
        }
    }

    private void sweep() {
        List<Kept> toClose;
        synchronized (this) {
            toClose = removeIdle();
            sweeping = false;
            sweepLater();
        }
        toClose.forEach(this::close);
    }

    private void close(Kept keptFile) {
        openInProcess.decrementAndGet();
        try {
            keptFile.file.close();
        } catch (IOException e) {
            // No reader uses the file any more, so the failure has no consequence.
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }

    /** One reader's use of a file. */
    private final class Lease implements ObjectSnapshot {
        private final Kept keptFile;
        private volatile boolean ended;

        Lease(Kept keptFile) {
            this.keptFile = keptFile;
        }

        private FileSnapshot openFile() throws ClosedChannelException {
            if (ended) {
                throw new ClosedChannelException();
            }
            return keptFile.file;
        }

        @Override
        public String version() {
            return keptFile.file.version();
        }

        @Override
        public String contentVersion() {
            return keptFile.file.contentVersion();
        }

        @Override
        public long size() {
            return keptFile.file.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            openFile().read(offset, target);
        }

        @Override
        public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
            openFile().transferTo(offset, length, out);
        }

        @Override
        public void confirm() throws IOException {
            openFile().confirm();
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                release(keptFile);
            }
        }
    }
}
