package dev.shardkit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of threads that serve many runs in turn. A run that has had its time slice queues behind new runs, so
 * a short read does not wait for long ones; long ones get every second turn at least. Threads end when idle. Guarded by
 * its monitor, which is not held while a task runs.
 */
final class WorkerPool {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int most;
    private final ThreadFactory threads;
    private final Deque<Runnable> fresh = new ArrayDeque<>();
    private final Deque<Runnable> continued = new ArrayDeque<>();
    private int live;
    private int idle;
    /** Whether the last task was taken from {@code fresh} while others waited in {@code continued}. */
    private boolean passedBy;

    WorkerPool(int most, ThreadFactory threads) {
        this.most = most;
        this.threads = threads;
    }

    /** Queues a task of a run that has had less than its slice. */
    void execute(Runnable task) {
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

    private synchronized void add(Deque<Runnable> queue, Runnable task) {
        queue.addLast(task);
        if (waiting() <= idle) {
            notify();
            return;
        }
        if (live == most) {
            return;
        }
        try {
            threads.newThread(this::serve).start();
            live++;
        } catch (Throwable e) {
            // the threads that are there take it
            if (live == 0) {
                queue.removeLast();
                throw e;
            }
        }
    }

    private void serve() {
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
