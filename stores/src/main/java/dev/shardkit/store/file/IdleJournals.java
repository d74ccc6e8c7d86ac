package dev.shardkit.store.file;

import dev.shardkit.store.file.patch.JournalDirectory;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The places of finished patches. Removing a directory takes longer than the rest of a small patch, and the next patch
 * would create it again. So idle places are removed one second later. An empty place means nothing. If the process ends
 * first, the next patch, put or delete of the file removes it. The monitor guards all state, except during the removal.
 */
final class IdleJournals {
    private static final long LATER_MILLIS = 1000;

    private final Map<String, JournalDirectory> places = new HashMap<>();
    private boolean waiting;

    /** Adds the place of a finished patch. */
    synchronized void add(JournalDirectory place) {
        places.put(place.own().toString(), place);
        if (!waiting) {
            try {
                // on the JDK's single timer thread
                CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::leave);
                waiting = true;
            } catch (RuntimeException | OutOfMemoryError e) {
                // no thread is available: they stay until the next patch, or until the store is closed
                System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "no timer", e);
            }
        }
    }

    /** Removes the empty directories. */
    void leave() {
        List<JournalDirectory> idle;
        synchronized (this) {
            waiting = false;
            idle = List.copyOf(places.values());
            places.clear();
        }
        for (JournalDirectory place : idle) {
            try {
                place.leave();
            } catch (IOException | RuntimeException e) {
                System.getLogger("dev.shardkit.store.file")
                        .log(System.Logger.Level.DEBUG, "removing a directory failed", e);
            }
        }
    }
}
