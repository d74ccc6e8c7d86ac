package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of threads that serve many runs in turn. A run that has had its time slice queues behind new runs, so
 * a short read does not wait for long ones; long ones get every second turn at least. Threads end when idle. A thread
 * that runs callers' code does not count: such code may wait for a task of this pool, so another thread takes its place
 * ({@link #callersCode}). Guarded by its monitor, which is not held while a task runs.
 */
final class WorkerPool implements Executor {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The pool of which the calling thread is one; absent within callers' code. */
    private static final ThreadLocal<WorkerPool> SERVED = new ThreadLocal<>();

    private final int most;
    private final ThreadFactory threads;
    private final Deque<Runnable> fresh = new ArrayDeque<>();
    private final Deque<Runnable> continued = new ArrayDeque<>();
    private int live;
    private int idle;
    /** Threads that run callers' code. */
    private int lent;
    /** Whether the last task was taken from {@code fresh} while others waited in {@code continued}. */
    private boolean passedBy;

    WorkerPool(int most, ThreadFactory threads) {
        this.most = most;
        this.threads = threads;
    }

    /** Queues a task of a run that has had less than its slice. */
    @Override
    public void execute(Runnable task) {
        add(fresh, task);
    }

    /** Queues a task of a run that has had its slice. */
    void continueLater(Runnable task) {
        add(continued, task);
    }

    /** Whether another run waits for a thread. */
    synchronized boolean isAwaited() {
        return waiting() > idle;
    }

    private int waiting() {
        return fresh.size() + continued.size();
    }

    /**
     * Runs code of a caller's, such as a listener, which may wait for tasks of the pool that the calling thread belongs
     * to. Until it returns, the pool may have one thread more.
     */
    static void callersCode(Runnable code) {
        Optional<WorkerPool> pool = Optional.ofNullable(SERVED.get());
        if (pool.isEmpty()) {
            code.run();
            return;
        }
        SERVED.remove();
        pool.get().lend(1);
        try {
            code.run();
        } finally {
            pool.get().lend(-1);
            SERVED.set(pool.get());
        }
    }

    /** Whether the calling thread serves a pool now, and does not run callers' code. */
    static boolean isServing() {
        return SERVED.get() != null;
    }

    private synchronized void lend(int more) {
        lent += more;
        if (waiting() <= idle || live - lent >= most) {
            return;
        }
        try {
            grow();
        } catch (Throwable e) {
            // the task waits for the threads that are there
            System.getLogger("dev.shardkit.engine").log(System.Logger.Level.WARNING, "no thread for a task", e);
        }
    }

    private synchronized void add(Deque<Runnable> queue, Runnable task) {
        queue.addLast(task);
        if (waiting() <= idle) {
            notify();
            return;
        }
        if (live - lent >= most) {
            return;
        }
        try {
            grow();
        } catch (Throwable e) {
            // the threads that are there take it
            if (live == lent) {
                queue.removeLast();
                throw e;
            }
        }
    }

    private void grow() {
        threads.newThread(this::serve).start();
        live++;
    }

    private void serve() {
        SERVED.set(this);
        for (Optional<Runnable> task = next(); task.isPresent(); task = next()) {
            try {
                task.get().run();
            } catch (Throwable e) {
                // a run's own task throws nothing; the thread stays either way
                System.getLogger("dev.shardkit.engine").log(System.Logger.Level.WARNING, "a worker's task failed", e);
            }
            Thread.interrupted();
        }
    }

    private synchronized Optional<Runnable> next() {
        long end = System.nanoTime() + IDLE_NANOS;
        if (live - lent > most) {
            live--; // it took the place of a thread that is back
            return Optional.empty();
        }
        while (waiting() == 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                live--;
                return Optional.empty();
            }
            idle++;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // nobody interrupts these threads but foreign code that runs on them
            } finally {
                idle--;
            }
        }
        boolean takesFresh = continued.isEmpty() || !(fresh.isEmpty() || passedBy);
        passedBy = takesFresh && !continued.isEmpty();
        return Optional.of((takesFresh ? fresh : continued).removeFirst());
    }
}
