package dev.shardkit.store.remote;

import java.util.Deque;
import java.util.LinkedList;
import org.jspecify.annotations.Nullable;

/** Limits the number of concurrent requests; further ones wait without blocking a thread. Thread-safe. */
final class Permits {
    private static final int MAX_THREADS = 32;

    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Runnable> waiting = new LinkedList<>();

    /** The threads that run work; others need not, because these look for more before they end. */
    private final @Nullable Thread[] handing = new Thread[MAX_THREADS];

    private int all;
    private int free;

    Permits(int all) {
        this.all = all;
        this.free = all;
    }

    /**
     * Runs {@code work} now on this thread, or later, with a permit. {@code work} must not block or throw, and must
     * release the permit. If this method throws, the work never runs.
     */
    void acquire(Runnable work) {
        synchronized (this) {
            waiting.add(work);
        }
        hand();
    }

    /** Raises the limit to {@code requests} if it is lower. */
    void raise(int requests) {
        synchronized (this) {
            int more = Math.max(0, requests - all);
            free += more;
            all += more;
        }
        hand();
    }

    void release() {
        synchronized (this) {
            free++;
        }
        hand();
    }

    /**
     * Runs waiting work in a loop of the outermost call, so that a long queue of short work does not deepen the stack.
     * Allocates nothing: no later event may come that runs the work.
     */
    private void hand() {
        Thread self = Thread.currentThread();
        if (!begin(self)) {
            return;
        }
        try {
            for (Runnable next = next(self); next != null; next = next(self)) {
                run(next);
            }
        } catch (RuntimeException | Error e) {
            end(self);
            throw e;
        }
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (OutOfMemoryError e) {
            // the others run all the same: no later event may come that runs them
        }
    }

    /** Returns whether the calling thread runs work now: it does not yet, and there is a place and work. */
    private synchronized boolean begin(Thread self) {
        if (free <= 0 || waiting.isEmpty()) {
            return false;
        }
        int place = -1;
        for (int i = 0; i < handing.length; i++) {
            if (handing[i] == self) {
                return false;
            }
            place = handing[i] == null ? i : place;
        }
        if (place >= 0) {
            handing[place] = self;
        }
        return place >= 0;
    }

    /** Returns the next work with a permit; null if there is none. Allocates nothing, so no work is lost. */
    private synchronized @Nullable Runnable next(Thread self) {
        if (free <= 0 || waiting.isEmpty()) {
            end(self);
            return null;
        }
        free--;
        return waiting.remove();
    }

    private synchronized void end(Thread self) {
        for (int i = 0; i < handing.length; i++) {
            if (handing[i] == self) {
                handing[i] = null;
            }
        }
    }
}
