package dev.shardkit.store.file.open;

import dev.shardkit.store.Snapshot;
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
 * Keeps files open after they were read. Resolving and opening a path costs about ten times as much as reading its
 * attributes, which show whether the file is unchanged. Keeps up to {@value #MAX} files; all stores together keep 256
 * or a quarter of the process's limit, because a store may never be closed. Unused files are closed after some seconds.
 * Only files on local file systems with identities, where open files may be replaced, are kept. This object's monitor
 * guards the table, but is not held for system calls.
 */
public final class OpenFiles {
    private static final int MAX = 64;
    /** A quarter of the process's limit, because other code needs descriptors too. */
    public static final int MAX_OF_ALL = (int) Math.min(256, FileLimit.ofProcess() / 4);

    private final LocalFiles local;
    private final Duration longestIdle;
    private final AtomicInteger ofAll;
    private final Map<String, Kept> files = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;
    private boolean sweeping;

    /**
     * Keeps files of that file system until they were idle for that long.
     *
     * @param ofAll the number of files that all stores keep, because descriptors belong to the process
     */
    public OpenFiles(LocalFiles local, Duration longestIdle, AtomicInteger ofAll) {
        this.ofAll = ofAll;
        this.local = local;
        this.longestIdle = longestIdle;
    }

    /** A file and its readers. */
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
                return false; // reopening it reports the failure
            }
        }
    }

    /** Returns the file of {@code key}, if it is open and unchanged. */
    public Optional<Snapshot> find(String key) {
        Kept kept;
        synchronized (this) {
            kept = files.get(key);
            if (kept == null) {
                return Optional.empty();
            }
            kept.users++;
        }
        if (kept.isCurrent()) {
            return Optional.of(new Lease(kept));
        }
        drop(key, kept);
        release(kept);
        return Optional.empty();
    }

    /** Caches a file that was just opened, if that saves time. Returns the snapshot for the reader. */
    public Snapshot keep(String key, Path path, FileSnapshot file) {
        if (!local.holds(file)) {
            return file;
        } else if (ofAll.incrementAndGet() > MAX_OF_ALL) {
            ofAll.decrementAndGet();
            return file;
        }
        Kept kept = new Kept(path, file);
        Optional<Kept> idle = Optional.empty();
        synchronized (this) {
            if (closed) {
                ofAll.decrementAndGet();
                return file;
            }
            Kept before = files.put(key, kept);
            if (before != null) {
                before.dropped = true;
                idle = Optional.of(before).filter(b -> b.users == 0);
            }
        }
        idle.ifPresent(this::close);
        return new Lease(kept);
    }

    /** Drops the file of {@code key}, which is about to change. */
    public void drop(String key) {
        Kept kept;
        synchronized (this) {
            kept = files.get(key);
        }
        if (kept != null) {
            drop(key, kept);
        }
    }

    /** Drops all files. */
    public void dropAll() {
        List<Kept> idle = new ArrayList<>();
        synchronized (this) {
            for (Kept k : files.values()) {
                k.dropped = true;
                if (k.users == 0) {
                    idle.add(k);
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

    private void drop(String key, Kept kept) {
        boolean idle;
        synchronized (this) {
            if (!files.remove(key, kept)) {
                return;
            }
            kept.dropped = true;
            idle = kept.users == 0;
        }
        if (idle) {
            close(kept);
        }
    }

    private void release(Kept kept) {
        List<Kept> done = List.of();
        synchronized (this) {
            kept.users--;
            if (kept.users == 0) {
                kept.idleSince = System.nanoTime();
                done = kept.dropped ? List.of(kept) : removeIdle();
                sweepLater();
            }
        }
        done.forEach(this::close);
    }

    /** Removes idle files from the table, and the oldest if there are too many. */
    private List<Kept> removeIdle() {
        List<Kept> out = List.of();
        Iterator<Kept> oldest = files.values().iterator();
        long now = System.nanoTime();
        while (oldest.hasNext()) {
            Kept k = oldest.next();
            if (k.users > 0) {
                continue;
            } else if (files.size() <= MAX && now - k.idleSince < longestIdle.toNanos()) {
                break;
            }
            oldest.remove();
            k.dropped = true;
            out = out.isEmpty() ? new ArrayList<>() : out;
            out.add(k);
        }
        return out;
    }

    /**
     * Schedules a sweep, because no later call may come. It runs on the JDK's timer thread, since all it does is close
     * local files. The default executor of that timer starts a thread for each sweep on machines with two cores: under
     * load, the sweeps of many stores then waited faster than threads could start.
     */
    private void sweepLater() {
        if (!sweeping && !files.isEmpty()) {
            sweeping = true;
            CompletableFuture.delayedExecutor(longestIdle.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(this::sweep);
        }
    }

    private void sweep() {
        List<Kept> done;
        synchronized (this) {
            done = removeIdle();
            sweeping = false;
            sweepLater();
        }
        done.forEach(this::close);
    }

    private void close(Kept kept) {
        ofAll.decrementAndGet();
        try {
            kept.file.close();
        } catch (IOException e) {
            // no reader uses it any more
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }

    /** One reader's use of a file. */
    private final class Lease implements Snapshot {
        private final Kept kept;
        private volatile boolean ended;

        Lease(Kept kept) {
            this.kept = kept;
        }

        private FileSnapshot file() throws ClosedChannelException {
            if (ended) {
                throw new ClosedChannelException();
            }
            return kept.file;
        }

        @Override
        public String version() {
            return kept.file.version();
        }

        @Override
        public long size() {
            return kept.file.size();
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            file().read(offset, into);
        }

        @Override
        public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
            file().transferTo(offset, length, out);
        }

        @Override
        public void confirm() throws IOException {
            file().confirm();
        }

        @Override
        public void close() {
            if (!ended) {
                ended = true;
                release(kept);
            }
        }
    }
}
