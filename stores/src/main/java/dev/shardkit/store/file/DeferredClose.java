package dev.shardkit.store.file;

import dev.shardkit.store.file.open.LocalDiskCheck;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets another thread close large files that a put has replaced. Closing the last channel to an unlinked file blocks
 * until the system has freed its pages and blocks; for 32 MiB this takes a third to a half of the time of the rewrite.
 * So large files are held open while they are replaced, and another thread closes them soon after. This is done only on
 * local disks of POSIX systems, where open files do not hinder a replacement, for at most {@value #MAX} files at a
 * time, and only while the disk has room for them. Thread-safe.
 */
final class DeferredClose {
    private static final int MAX = 4;
    /** The time after the replacement at which the file is closed. */
    private static final long LATER_MILLIS = 20;

    /** The size in bytes from which a file counts as large. */
    private static final long LARGE = 4 << 20;

    private final LocalDiskCheck local;
    /** The number of further files that may be held. */
    private final Semaphore free = new Semaphore(MAX);

    private final Set<FileChannel> held = ConcurrentHashMap.newKeySet();

    /** Creates a closer for files of one file system. */
    DeferredClose(LocalDiskCheck local) {
        this.local = local;
    }

    /**
     * Opens the file at {@code target}, if it is large enough and its disk has room. The caller closes the result after
     * the replacement; another thread then closes the file.
     */
    Closeable hold(Path target) {
        if (!helps(target) || !free.tryAcquire()) {
            return () -> {};
        }
        try {
            FileChannel file = FileChannel.open(target, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            held.add(file);
            return () -> closeLater(file);
        } catch (IOException | RuntimeException e) {
            free.release();
            return () -> {}; // the replacement works without it
        }
    }

    /** Closes all held files. */
    void closeHeld() {
        List.copyOf(held).forEach(this::closeHeld);
    }

    private void closeLater(FileChannel file) {
        try {
            // The put's own reader of the old file may still be open. It must not be the last one to close.
            CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> closeHeld(file));
        } catch (RuntimeException | OutOfMemoryError e) {
            closeHeld(file); // no thread is available
        }
    }

    /**
     * Returns whether to close a file later. It must be large and local, and its disk must have room for twice the
     * maximum number of such files: a disk that is nearly full needs the space back at once.
     */
    private boolean helps(Path target) {
        try {
            long size = Files.size(target);
            return size >= LARGE && local.holds(target) && target.toFile().getUsableSpace() / (2 * MAX) >= size;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private void closeHeld(FileChannel file) {
        if (!held.remove(file)) {
            return;
        }
        free.release();
        try {
            file.close();
        } catch (IOException e) {
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
        }
    }
}
