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
 * in order: a dedicated thread takes over a permit that becomes free and keeps it while work waits. Handing the permit
 * from caller to caller would leave a core idle until the next caller wakes up. Workers need no permit, because there
 * are few.
 *
 * <p>Only work that calls no code of the caller runs here. The caller's code may hold locks, wait, or depend on its
 * thread, so another thread must not run it.
 *
 * <p>Progress does not depend on the dedicated threads. If a caller is interrupted, or sees no work end for a while, it
 * withdraws its work from the queue and runs it without a permit, unless the work has begun. So code that blocks during
 * decoding does not stop other callers. Guarded by its monitor, which is not held during work.
 */
public final class DecodePermits {
    /** If no work begins or ends for this long, the threads with permits are taken to be blocked. */
    private static final long MAX_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final DecodePermits SHARED = shared(Runtime.getRuntime().availableProcessors());

    /** Runs the dedicated threads. */
    private final Executor threads;
    /** How long a caller waits without progress, in nanoseconds. */
    private final long maxStall;
    /** Whether the current thread runs work of {@link #run}; further work inside this work needs no permit. */
    private final ThreadLocal<Boolean> runsWork = ThreadLocal.withInitial(() -> false);

    private final Runnable serve = this::serve; // allocated once, so that passing on a permit needs no memory
    /** Linked: an ArrayDeque that cannot grow for lack of memory loses its elements. */
    private final Deque<Waiting<?>> queue = new LinkedList<>();

    private int free;
    /** When a unit of work last ended or a serving thread took one, by {@link System#nanoTime}. */
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

    /** Waiting work and its outcome. The monitor of the permits guards {@code started}. */
    private static final class Waiting<V> {
        private final Thread caller = Thread.currentThread();
        private final Supplier<V> work;
        private boolean started;
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
            Thread.interrupted(); // an interrupt that the work has left must not reach the next work
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
        if (runsWork.get() || isBound()) {
            return work.get();
        }
        Waiting<V> queued = acquireOrQueue(work);
        if (queued != null && await(queued)) {
            return queued.outcome();
        }
        try {
            runsWork.set(true);
            return work.get();
        } finally {
            leave(queued == null);
            runsWork.set(false);
        }
    }

    /**
     * Returns whether the work must stay on the calling thread, because it is a worker, or because it holds a
     * reservation of memory: an edit inside the work finds this by the thread ({@link EncodedBudget#isReserving}).
     */
    private static boolean isBound() {
        return WorkerPool.isServing() || EncodedBudget.isReserving();
    }

    /** Acquires a free permit, or queues the work. Returns null if a permit was acquired. */
    private synchronized <V> @Nullable Waiting<V> acquireOrQueue(Supplier<V> work) {
        if (free > 0) {
            free--;
            return null;
        }
        Waiting<V> queued = new Waiting<>(work);
        queue.addLast(queued);
        return queued;
    }

    /**
     * Ends the caller's work. If the caller holds a permit and work waits, a dedicated thread takes over the permit.
     */
    private void leave(boolean hasPermit) {
        synchronized (this) {
            progress = System.nanoTime();
            if (!hasPermit) {
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
            // No thread or no memory is available: waiting callers withdraw their work and run it themselves.
        } finally {
            if (!handedOver) {
                giveBack();
            }
        }
    }

    private synchronized void giveBack() {
        free++;
    }

    /** Does the work of the queue, with the permit that the calling thread took over. */
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
            next.started = true;
        }
        return next;
    }

    /** Waits until the work is done. Returns false if the caller must run it. */
    private boolean await(Waiting<?> queued) {
        long waitStart = System.nanoTime();
        boolean interrupted = false;
        try {
            while (!queued.done) {
                long remaining = maxStall - (System.nanoTime() - Math.max(waitStart, progress));
                interrupted |= Thread.interrupted();
                if ((interrupted || remaining <= 0) && withdraw(queued)) {
                    return false;
                }
                LockSupport.parkNanos(this, remaining > 0 && !interrupted ? remaining : maxStall);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Removes work from the queue. Returns false if another thread has begun it. */
    private synchronized boolean withdraw(Waiting<?> queued) {
        if (queued.started) {
            return false;
        }
        queued.started = true;
        queue.remove(queued);
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
