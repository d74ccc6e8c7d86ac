package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
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
 * runs callers' code does not count towards the fixed number: such code may wait for a task of this pool, so another
 * thread replaces it meanwhile ({@link #callersCode}). Guarded by its monitor, which is not held while a task runs.
 */
public final class WorkerPool implements Executor {
    /** How long an idle thread waits for a task before it ends. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The pool of the calling thread; absent within callers' code. */
    private static final ThreadLocal<WorkerPool> SERVED = new ThreadLocal<>();

    private final int maxThreads;
    private final ThreadFactory threads;
    // Linked lists, because an ArrayDeque that fails to grow when memory runs out loses the tasks of other runs.
    private final Deque<Runnable> newTasks = new LinkedList<>();
    private final Deque<Runnable> continuedTasks = new LinkedList<>();
    /** The number of threads, including those that are idle or run callers' code. */
    private int threadCount;

    private int idleCount;
    /** Whether new runs wait for a thread. Written under the monitor. */
    private volatile boolean hasNewcomers;
    /** The number of threads that run callers' code. */
    private int lentCount;
    /** Whether the last task was a new one although continued tasks waited. Then the next one is a continued one. */
    private boolean continuedPassedOver;

    /** Creates a pool of at most {@code maxThreads} threads, which {@code threads} creates when tasks need them. */
    public WorkerPool(int maxThreads, ThreadFactory threads) {
        this.maxThreads = maxThreads;
        this.threads = threads;
    }

    /** Queues a task of a run that has not used its time slice. */
    @Override
    public void execute(Runnable task) {
        add(newTasks, task);
    }

    /** Queues a task of a run that has used its time slice. */
    void continueLater(Runnable task) {
        add(continuedTasks, task);
    }

    /** Returns whether another run waits for a thread. */
    synchronized boolean isAwaited() {
        return queuedTasks() > idleCount;
    }

    /** Returns whether a new run waits for a thread. Cheap: takes no monitor. */
    boolean isAwaitedByNew() {
        return hasNewcomers;
    }

    private void updateNewcomers() {
        hasNewcomers = !newTasks.isEmpty() && queuedTasks() > idleCount;
    }

    private int queuedTasks() {
        return newTasks.size() + continuedTasks.size();
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

    /** Changes the number of threads that run callers' code, and starts a thread if tasks wait for one. */
    private synchronized void lend(int change) {
        lentCount += change;
        if (queuedTasks() <= idleCount || threadCount - lentCount >= maxThreads) {
            return;
        }
        try {
            grow();
        } catch (Throwable e) {
            // the task waits for the existing threads
            Failures.log(System.Logger.Level.WARNING, "no thread for a task", e);
        }
    }

    /** Queues a task, and wakes an idle thread for it or starts one. */
    private synchronized void add(Deque<Runnable> queue, Runnable task) {
        queue.addLast(task);
        if (queuedTasks() <= idleCount) {
            notify();
            return;
        }
        try {
            if (threadCount - lentCount < maxThreads) {
                grow();
            }
        } catch (Throwable e) {
            // the existing threads take the task, unless all of them run callers' code
            if (threadCount == lentCount) {
                queue.removeLast();
                throw e;
            }
        } finally {
            updateNewcomers();
        }
    }

    private void grow() {
        threads.newThread(this::serve).start();
        threadCount++;
    }

    /** Runs tasks until this thread has been idle for too long, or is no longer needed. */
    private void serve() {
        boolean isIdle = false;
        while (!isIdle) {
            try {
                SERVED.set(this);
                for (Runnable task = next(); task != null; task = next()) {
                    run(task);
                    Thread.interrupted(); // an interrupt of the task must not reach the next one
                }
                isIdle = true;
            } catch (Throwable e) {
                // Memory ran out before a task was taken. This thread tries again: if it ended, no other thread might
                // run the queued tasks.
                Thread.onSpinWait();
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // the tasks of runs throw nothing; the thread continues in any case
            Failures.log(System.Logger.Level.WARNING, "a worker's task failed", e);
        }
    }

    /**
     * Removes and returns the next task; null if this thread must end. If memory runs out here, the task stays queued.
     */
    private synchronized @Nullable Runnable next() {
        long deadline = System.nanoTime() + IDLE_NANOS;
        if (threadCount - lentCount > maxThreads) {
            threadCount--; // this thread replaced one that has returned from callers' code
            return null;
        }
        while (queuedTasks() == 0) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                threadCount--;
                return null;
            }
            idleCount++;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            } catch (InterruptedException e) {
                // only foreign code that ran on this thread can have interrupted it
            } finally {
                idleCount--;
            }
        }
        boolean takesNewTask = continuedTasks.isEmpty() || !(newTasks.isEmpty() || continuedPassedOver);
        continuedPassedOver = takesNewTask && !continuedTasks.isEmpty();
        Runnable task = (takesNewTask ? newTasks : continuedTasks).removeFirst();
        updateNewcomers();
        return task;
    }
}
