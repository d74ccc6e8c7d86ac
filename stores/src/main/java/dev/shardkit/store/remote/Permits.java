package dev.shardkit.store.remote;

import java.util.Deque;
import java.util.LinkedList;
import org.jspecify.annotations.Nullable;

/** Limits the number of concurrent requests; further ones wait without blocking a thread. Thread-safe. */
final class Permits {
    private static final int MAX_THREADS = 32;

    /** A linked list, because an ArrayDeque that fails to grow for lack of memory loses its elements. */
    private final Deque<Runnable> queue = new LinkedList<>();

    /**
     * The threads that run queued work now; null in free slots. If all slots are taken, no further thread is needed,
     * because each of these threads takes more work from the queue before it leaves. An array needs no memory later.
     */
    private final @Nullable Thread[] granting = new Thread[MAX_THREADS];

    private int limit;

    /** The number of permits that are not in use. */
    private int free;

    Permits(int limit) {
        this.limit = limit;
        this.free = limit;
    }

    /**
     * Runs {@code work} now on this thread, or later, with a permit. {@code work} must not block or throw, and must
     * release the permit. If this method throws, the work never runs.
     */
    void acquire(Runnable work) {
        synchronized (this) {
            queue.add(work);
        }
        grantPermits();
    }

    /** Raises the limit to {@code requests} if it is lower. */
    void raise(int requests) {
        synchronized (this) {
            int additional = Math.max(0, requests - limit);
            free += additional;
            limit += additional;
        }
        grantPermits();
    }

    /** Releases a permit. */
    void release() {
        synchronized (this) {
            free++;
        }
        grantPermits();
    }

    /**
     * Runs queued work while there are permits. If work that this method runs calls it again, the inner call returns at
     * once, and the outer call continues with the queue. So a long queue of short work does not deepen the stack.
     * Allocates nothing: if it failed for lack of memory, the work might never run.
     */
    private void grantPermits() {
        Thread thread = Thread.currentThread();
        if (!begin(thread)) {
            return;
        }
        try {
            for (Runnable next = next(thread); next != null; next = next(thread)) {
                run(next);
            }
        } catch (RuntimeException | Error e) {
            end(thread);
            throw e;
        }
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (OutOfMemoryError e) {
            // The remaining work must still run, because no later event may cause it to run.
        }
    }

    /**
     * Registers the calling thread to run work. Returns false if it runs work already, or if there is no work, permit
     * or slot.
     */
    private synchronized boolean begin(Thread thread) {
        if (free <= 0 || queue.isEmpty()) {
            return false;
        }
        int index = -1;
        for (int i = 0; i < granting.length; i++) {
            if (granting[i] == thread) {
                return false;
            }
            index = granting[i] == null ? i : index;
        }
        if (index >= 0) {
            granting[index] = thread;
        }
        return index >= 0;
    }

    /** Returns the next work with a permit; null if there is none. Allocates nothing, so no work is lost. */
    private synchronized @Nullable Runnable next(Thread thread) {
        if (free <= 0 || queue.isEmpty()) {
            end(thread);
            return null;
        }
        free--;
        return queue.remove();
    }

    private synchronized void end(Thread thread) {
        for (int i = 0; i < granting.length; i++) {
            if (granting[i] == thread) {
                granting[i] = null;
            }
        }
    }
}
