package dev.shardkit.store.remote;

import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Limits the number of concurrent requests; further ones wait without blocking a thread. Thread-safe. */
final class Permits {
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Runnable> waiting = new LinkedList<>();

    private final Set<Thread> handing = new HashSet<>();
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

    /** Withdraws a permit that is free now or will be soon; returns whether another one remains. */
    synchronized boolean withdraw() {
        if (all == 1) {
            return false;
        }
        all--;
        free--;
        return true;
    }

    /** Runs waiting work. Repeats it if memory runs out: no later event may come that runs the work. */
    private void hand() {
        while (true) {
            try {
                tryHand();
                return;
            } catch (OutOfMemoryError e) {
                Thread.yield();
            }
        }
    }

    /**
     * Runs waiting work in a loop of the outermost call, so that a long queue of short work does not deepen the stack.
     */
    private void tryHand() {
        Thread self = Thread.currentThread();
        synchronized (this) {
            if (free <= 0 || waiting.isEmpty() || handing.contains(self)) {
                return;
            }
        }
        try {
            begin(self);
            for (Runnable next = next(self); next != null; next = next(self)) {
                next.run();
            }
        } catch (RuntimeException | Error e) {
            forget(self);
            throw e;
        }
    }

    private synchronized void begin(Thread self) {
        handing.add(self);
    }

    /** Returns the next work with a permit; null if there is none. Allocates nothing, so no work is lost. */
    private synchronized @Nullable Runnable next(Thread self) {
        if (free <= 0 || waiting.isEmpty()) {
            handing.remove(self);
            return null;
        }
        free--;
        return waiting.remove();
    }

    private synchronized void forget(Thread self) {
        handing.remove(self);
    }
}
