package dev.shardkit.store.remote;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Limits the number of concurrent requests; further ones wait without blocking a thread. Thread-safe. */
final class Permits {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Set<Thread> handing = new HashSet<>();
    private int all;
    private int free;

    Permits(int all) {
        this.all = all;
        this.free = all;
    }

    /**
     * Runs {@code work} now on this thread, or later, with a permit. {@code work} must not block and must release the
     * permit.
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

    /**
     * Runs waiting work in a loop of the outermost call, so that a long queue of short work does not deepen the stack.
     */
    private void hand() {
        Thread self = Thread.currentThread();
        synchronized (this) {
            if (!handing.add(self)) {
                return;
            }
        }
        try {
            for (Optional<Runnable> next = next(self); next.isPresent(); next = next(self)) {
                next.get().run();
            }
        } catch (RuntimeException | Error e) {
            forget(self);
            throw e;
        }
    }

    /** Returns the next work with a permit, if there is any. */
    private synchronized Optional<Runnable> next(Thread self) {
        if (free <= 0 || waiting.isEmpty()) {
            handing.remove(self);
            return Optional.empty();
        }
        free--;
        return Optional.of(waiting.remove());
    }

    private synchronized void forget(Thread self) {
        handing.remove(self);
    }
}
