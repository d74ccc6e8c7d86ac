package dev.shardkit.engine.threads;

import java.util.Deque;
import java.util.LinkedList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many blocking callers of the process decode at once: there is one permit for each core. Otherwise many
 * callers share the cores through the scheduler's time slices, and a short read waits for many of them.
 *
 * <p>A caller that gets a free permit decodes with it. Otherwise its work joins a queue, which dedicated threads serve
 * in order: such a thread takes over a permit that becomes free and keeps it while work waits. Handing the permit from
 * caller to caller would leave a core idle until the next caller wakes up. Workers need no permit, because there are
 * few.
 *
 * <p>Only work without code of the caller's needs permits: such code may hold locks, wait, or depend on its thread.
 *
 * <p>Progress does not depend on these threads. A caller that is interrupted, or sees no work end for a while, takes
 * back its work unless it has begun, and runs it without a permit. So code that blocks during decoding does not stop
 * other callers. Guarded by its monitor, which is not held during work.
 */
public final class DecodePermits {
    /** If no work ends for this long, the threads with permits are blocked. */
    private static final long MAX_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final DecodePermits SHARED = shared(Runtime.getRuntime().availableProcessors());

    private final Executor threads;
    private final long maxStall;
    private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
    private final Runnable serve = this::serve;
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Waiting<?>> queue = new LinkedList<>();

    private int free;
    private volatile long progress = System.nanoTime();

    /**
     * Creates permits.
     *
     * @param permits the number of threads that may decode at once
     * @param threads runs the threads that serve the queue
     */
    DecodePermits(int permits, Executor threads) {
        this(permits, threads, MAX_STALL_NANOS);
    }

    /** Creates permits whose callers wait for {@code maxStall} nanoseconds without progress. */
    DecodePermits(int permits, Executor threads, long maxStall) {
        this.free = permits;
        this.threads = threads;
        this.maxStall = maxStall;
    }

    private static DecodePermits shared(int cores) {
        return new DecodePermits(cores, new WorkerPool(cores, CallThreads.platform("shardkit-decoder-")));
    }

    /** Returns the permits of the process. */
    static DecodePermits shared() {
        return SHARED;
    }

    /** Waiting work and its outcome. The monitor of the permits guards {@code begun}. */
    private static final class Waiting<V> {
        private final Thread caller = Thread.currentThread();
        private final Supplier<V> work;
        private boolean begun;
        private @Nullable V value;
        private @Nullable Throwable failure;
        private volatile boolean done;

        Waiting(Supplier<V> work) {
            this.work = work;
        }

        void run() {
            try {
                value = work.get();
            } catch (Throwable e) {
                failure = e;
            }
            Thread.interrupted(); // what the work did to its thread is not for the next work
            done = true;
            LockSupport.unpark(caller);
        }

        V outcome() {
            if (failure != null) {
                throw DecodePermits.<RuntimeException>unchecked(failure);
            }
            return value;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }

    /** Runs {@code work}, on this thread or another. Returns its value or throws its exception. */
    public <V> V run(Supplier<V> work) {
        if (inside.get() || isBound()) {
            return work.get();
        }
        Waiting<V> waiting = join(work);
        if (waiting != null && await(waiting)) {
            return waiting.outcome();
        }
        try {
            inside.set(true);
            return work.get();
        } finally {
            leave(waiting == null);
            inside.set(false);
        }
    }

    /**
     * Returns whether the work must stay on the calling thread: a worker's, or one on which runs within the work
     * depend.
     */
    private static boolean isBound() {
        return WorkerPool.isServing() || EncodedBudget.isReserving();
    }

    /** Acquires a free permit, or queues the work. Returns null if a permit was acquired. */
    private synchronized <V> @Nullable Waiting<V> join(Supplier<V> work) {
        if (free > 0) {
            free--;
            return null;
        }
        Waiting<V> waiting = new Waiting<>(work);
        queue.addLast(waiting);
        return waiting;
    }

    /**
     * Ends the caller's work. If it holds a permit and work waits, a thread that serves the queue takes over the
     * permit.
     */
    private void leave(boolean permit) {
        synchronized (this) {
            progress = System.nanoTime();
            if (!permit) {
                return;
            }
            if (queue.isEmpty()) {
                free++;
                return;
            }
        }
        boolean handedOver = false;
        try {
            threads.execute(serve);
            handedOver = true;
        } catch (Throwable e) {
            // There are no more threads or no memory: the callers that wait wait no longer and go ahead.
        } finally {
            if (!handedOver) {
                giveBack();
            }
        }
    }

    private synchronized void giveBack() {
        free++;
    }

    /** Does the work of the queue, in the permit that the calling thread took over. */
    private void serve() {
        for (Waiting<?> next = next(); next != null; next = next()) {
            next.run();
        }
    }

    /** Returns the work to do next, or gives the permit back. Allocates nothing, so memory cannot run out here. */
    private synchronized @Nullable Waiting<?> next() {
        progress = System.nanoTime();
        Waiting<?> next = queue.pollFirst();
        if (next == null) {
            free++;
        } else {
            next.begun = true;
        }
        return next;
    }

    /** Waits until the work is done. Returns false if the caller must run it. */
    private boolean await(Waiting<?> waiting) {
        long begun = System.nanoTime();
        boolean interrupted = false;
        try {
            while (!waiting.done) {
                long left = maxStall - (System.nanoTime() - Math.max(begun, progress));
                interrupted |= Thread.interrupted();
                if ((interrupted || left <= 0) && takesBack(waiting)) {
                    return false;
                }
                LockSupport.parkNanos(this, left > 0 && !interrupted ? left : maxStall);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized boolean takesBack(Waiting<?> waiting) {
        if (waiting.begun) {
            return false;
        }
        waiting.begun = true;
        queue.remove(waiting);
        return true;
    }

    /** Returns the number of free permits; for tests. */
    synchronized int free() {
        return free;
    }

    /** Returns the number of waiting units of work; for tests. */
    synchronized int waiting() {
        return queue.size();
    }
}
