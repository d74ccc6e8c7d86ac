package dev.shardkit.store.file;

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
 * Files that are about to be replaced. Whoever closes the last channel to a file that has no name any more waits until
 * the system has freed its pages and blocks, a third to a half of the time of rewriting 32 MiB; so large ones are held
 * open until they are replaced, and closed by another thread soon after. Only on the local disks of POSIX systems,
 * where an open file is no hindrance; at most {@value #MOST} at a time, and where the disk has room for them.
 * Thread-safe.
 */
final class Replaced {
    private static final int MOST = 4;
    private static final long LATER_MILLIS = 20;
    private static final long LARGE = 4 << 20;

    private final LocalFiles local;
    private final Semaphore free = new Semaphore(MOST);
    private final Set<FileChannel> held = ConcurrentHashMap.newKeySet();

    /** Files of that file system. */
    Replaced(LocalFiles local) {
        this.local = local;
    }

    /** Holds the file at {@code target}, if that is of use, until what is returned is closed: when it was replaced. */
    Closeable hold(Path target) {
        if (!isOfUse(target) || !free.tryAcquire()) {
            return () -> {};
        }
        try {
            FileChannel file = FileChannel.open(target, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            held.add(file);
            return () -> letGoLater(file);
        } catch (IOException | RuntimeException e) {
            free.release();
            return () -> {}; // it is replaced all the same
        }
    }

    /** Lets go of all. */
    void letGo() {
        List.copyOf(held).forEach(this::letGo);
    }

    private void letGoLater(FileChannel file) {
        try {
            // not at once: who has read the old file to write the new one closes it after the put
            CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> letGo(file));
        } catch (RuntimeException | OutOfMemoryError e) {
            letGo(file); // no thread is to be had
        }
    }

    /** A disk that is nearly full needs the space back at once. */
    private boolean isOfUse(Path target) {
        try {
            long size = Files.size(target);
            return size >= LARGE && local.holds(target) && target.toFile().getUsableSpace() / (2 * MOST) >= size;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private void letGo(FileChannel file) {
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
