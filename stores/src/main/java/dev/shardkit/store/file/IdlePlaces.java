package dev.shardkit.store.file;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The places of patches that are over. To remove a directory takes the system longer than all else of a small patch,
 * and the next patch would make it again, so those that nobody needs are removed a second later. An empty one means
 * nothing; what a process leaves that ends before is removed after the next patch, put or delete of the file. Guarded
 * by its monitor, but for removing.
 */
final class IdlePlaces {
    private static final long LATER_MILLIS = 1000;

    private final Map<String, PatchPlace> places = new HashMap<>();
    private boolean waiting;

    /** Takes in a place where a patch has ended. */
    synchronized void add(PatchPlace place) {
        places.put(place.own().toString(), place);
        if (!waiting) {
            try {
                // by the JDK's one timer thread for all
                CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(this::leave);
                waiting = true;
            } catch (RuntimeException | OutOfMemoryError e) {
                // no thread is to be had: they stay until the next patch, or until the store is closed
                System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "no timer", e);
            }
        }
    }

    /** Removes the directories in which nothing is. */
    void leave() {
        List<PatchPlace> idle;
        synchronized (this) {
            waiting = false;
            idle = List.copyOf(places.values());
            places.clear();
        }
        for (PatchPlace place : idle) {
            try {
                place.leave();
            } catch (IOException | RuntimeException e) {
                System.getLogger("dev.shardkit.store.file")
                        .log(System.Logger.Level.DEBUG, "removing a directory failed", e);
            }
        }
    }
}
