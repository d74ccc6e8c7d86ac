package dev.shardkit.store.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Lets so many requests go at once; the others wait their turn without a thread. Thread-safe. */
final class Permits {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Set<Thread> handing = new HashSet<>();
    private int all;
    private int free;

    Permits(int all) {
        this.all = all;
        this.free = all;
    }

    /** Runs {@code work}, which does not wait, here and now, or later; it has a permit and must see to its release. */
    void acquire(Runnable work) {
        synchronized (this) {
            waiting.add(work);
        }
        hand();
    }

    void release() {
        synchronized (this) {
            free++;
        }
        hand();
    }

    /** Takes a permit out of use that is free now or will be soon; whether there is one left beside it. */
    synchronized boolean withdraw() {
        if (all == 1) {
            return false;
        }
        all--;
        free--;
        return true;
    }

    /** In a loop of the outermost call, so that a long queue of work that ends at once makes no deep stack. */
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

    /** Work with a permit; without any, the thread has handed over all that it could. */
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
