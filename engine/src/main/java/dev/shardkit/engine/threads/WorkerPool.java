package dev.shardkit.engine.threads;

import dev.shardkit.engine.Failures;
import java.util.Deque;
import java.util.LinkedList;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads that serve many runs in turn. A run that has used its time slice queues after new runs, so
 * a short read does not wait for long ones; long runs get at least every second turn. Idle threads end. A thread that
 * runs callers' code does not count: such code may wait for a task of this pool, so another thread replaces it
 * ({@link #callersCode}). Guarded by its monitor, which is not held while a task runs.
 */
public final class WorkerPool implements Executor {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The pool of the calling thread; absent within callers' code. */
    private static final ThreadLocal<WorkerPool> SERVED = new ThreadLocal<>();

    private final int most;
    private final ThreadFactory threads;
    // Linked: an ArrayDeque that cannot grow for lack of memory loses its elements, here the tasks of other runs.
    private final Deque<Runnable> fresh = new LinkedList<>();
    private final Deque<Runnable> continued = new LinkedList<>();
    private int live;
    private int idle;
    /** Whether new runs wait for a thread. Written under the monitor. */
    private volatile boolean newcomers;
    /** The number of threads that run callers' code. */
    private int lent;
    /** Whether the last task was taken from {@code fresh} while others waited in {@code continued}. */
    private boolean passedBy;

    public WorkerPool(int most, ThreadFactory threads) {
        this.most = most;
        this.threads = threads;
    }

    /** Queues a task of a run that has not used its time slice. */
    @Override
    public void execute(Runnable task) {
        add(fresh, task);
    }

    /** Queues a task of a run that has used its time slice. */
    void continueLater(Runnable task) {
        add(continued, task);
    }

    /** Returns whether another run waits for a thread. */
    synchronized boolean isAwaited() {
        return waiting() > idle;
    }

    /** Returns whether a new run waits for a thread. Cheap: takes no monitor. */
    boolean isAwaitedByNew() {
        return newcomers;
    }

    private void look() {
        newcomers = !fresh.isEmpty() && waiting() > idle;
    }

    private int waiting() {
        return fresh.size() + continued.size();
    }

    /**
     * Runs code of a caller, such as a listener, which may wait for tasks of the calling thread's pool. Until it
     * returns, the pool may have one more thread.
     */
    static void callersCode(Runnable code) {
        Optional<WorkerPool> pool = Optional.ofNullable(SERVED.get());
        if (pool.isEmpty()) {
            code.run();
            return;
        }
        SERVED.remove();
        try {
            pool.get().lend(1);
            code.run();
        } finally {
            pool.get().lend(-1);
            SERVED.set(pool.get());
        }
    }

    /** Returns whether the calling thread serves a pool now, and does not run callers' code. */
    public static boolean isServing() {
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
            // the task waits for the existing threads
            Failures.log(System.Logger.Level.WARNING, "no thread for a task", e);
        }
    }

    private synchronized void add(Deque<Runnable> queue, Runnable task) {
        queue.addLast(task);
        if (waiting() <= idle) {
            notify();
            return;
        }
        try {
            if (live - lent < most) {
                grow();
            }
        } catch (Throwable e) {
            // the existing threads take it
            if (live == lent) {
                queue.removeLast();
                throw e;
            }
        } finally {
            look();
        }
    }

    private void grow() {
        threads.newThread(this::serve).start();
        live++;
    }

    private void serve() {
        boolean over = false;
        while (!over) {
            try {
                SERVED.set(this);
                for (Runnable task = next(); task != null; task = next()) {
                    run(task);
                    Thread.interrupted();
                }
                over = true;
            } catch (Throwable e) {
                Thread.onSpinWait(); // memory ran out before a task was taken; ending here would leave the tasks alone
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // a run's own task throws nothing; the thread stays in any case
            Failures.log(System.Logger.Level.WARNING, "a worker's task failed", e);
        }
    }

    /**
     * Removes and returns the next task; null if this thread must end. If memory runs out here, the task stays queued.
     */
    private synchronized @Nullable Runnable next() {
        long end = System.nanoTime() + IDLE_NANOS;
        if (live - lent > most) {
            live--; // it replaced a thread that is back
            return null;
        }
        while (waiting() == 0) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                live--;
                return null;
            }
            idle++;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                // only foreign code that ran on this thread interrupts it
            } finally {
                idle--;
            }
        }
        boolean takesFresh = continued.isEmpty() || !(fresh.isEmpty() || passedBy);
        passedBy = takesFresh && !continued.isEmpty();
        Runnable task = (takesFresh ? fresh : continued).removeFirst();
        look();
        return task;
    }
}
