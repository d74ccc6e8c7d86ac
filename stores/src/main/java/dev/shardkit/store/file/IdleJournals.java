package dev.shardkit.store.file;

import dev.shardkit.store.file.patch.JournalDirectory;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Removes the journal directories of finished patches, about a second after a patch has ended. Removing a directory at
 * once would take longer than the rest of a small patch, and the next patch would create it again. An empty directory
 * does no harm: if the process ends first, the next patch, put or delete of the file removes it. Thread-safe: the
 * monitor guards all fields, and is not held during the removal.
 */
final class IdleJournals {
    private static final long LATER_MILLIS = 1000;

    /** The directories to remove, by their own paths. */
    private final Map<String, JournalDirectory> directories = new HashMap<>();

    private boolean scheduled;

    /** Adds the journal directory of a finished patch, to be removed later. */
    synchronized void add(JournalDirectory directory) {
        directories.put(directory.own().toString(), directory);
        if (!scheduled) {
            try {
                // on the JDK's single timer thread
                CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::leave);
                scheduled = true;
            } catch (RuntimeException | OutOfMemoryError e) {
                // No thread is available: the directories stay until the next patch, or until the store is closed.
                System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "no timer", e);
            }
        }
    }

    /** Removes the empty directories. */
    void leave() {
        List<JournalDirectory> idle;
        synchronized (this) {
            scheduled = false;
            idle = List.copyOf(directories.values());
            directories.clear();
        }
        for (JournalDirectory directory : idle) {
            try {
                directory.removeIfEmpty();
            } catch (IOException | RuntimeException e) {
                System.getLogger("dev.shardkit.store.file")
                        .log(System.Logger.Level.DEBUG, "removing a directory failed", e);
            }
        }
    }
}
