package dev.shardkit.transport.timer;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The timer of all remote stores: one daemon thread, which ends when it is idle. A task passes its work to another
 * thread and returns. The timer never runs code of callers, so callers cannot delay deadlines. Even if memory runs out,
 * no task is lost, because a deadline may be the only event that ends a call. Thread-safe: the monitor guards all
 * fields, and is not held while a task runs.
 */
public final class TimerThread {
    private static final TimerThread SHARED = new TimerThread();
    /** How long the thread waits without a task before it ends. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The pause before a task that ran out of memory is repeated. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The tasks, the next one first. Differences of times are compared, because the clock's values may overflow. */
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>((first, second) -> Long.compare(first.dueNanos - second.dueNanos, 0));

    private boolean running;

    private TimerThread() {}

    /** A scheduled task. */
    public interface Due {
        /** Cancels the task. A no-op if it has already started. */
        void cancel();
    }

    /**
     * Runs {@code work} after {@code nanos} nanoseconds. The work must not block and must not run code of callers. If
     * it throws a {@link VirtualMachineError}, it is repeated.
     */
    public static Due after(long nanos, Runnable work) {
        return SHARED.add(new Task(SHARED, System.nanoTime() + Math.max(0, nanos), work));
    }

    private static final class Task implements Due {
        private final TimerThread clock;
        private final long dueNanos;
        private final Runnable work;

        Task(TimerThread clock, long dueNanos, Runnable work) {
            this.clock = clock;
            this.dueNanos = dueNanos;
            this.work = work;
        }

        @Override
        public void cancel() {
            clock.remove(this);
        }

        void run() {
            while (true) {
                try {
                    work.run();
                    return;
                } catch (VirtualMachineError e) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                } catch (RuntimeException | Error e) {
                    System.getLogger("dev.shardkit.transport").log(System.Logger.Level.WARNING, "a timer's task", e);
                    return;
                }
            }
        }
    }

    /** Adds a task, and starts the thread if it does not run. */
    private synchronized Due add(Task task) {
        tasks.add(task);
        try {
            if (!running) {
                Thread thread = new Thread(null, this::serve, "shardkit-http-timer", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(TimerThread.class.getClassLoader());
                thread.start();
                running = true;
            }
        } catch (Throwable e) {
            tasks.remove(task);
            throw e;
        }
        if (tasks.peek() == task) {
            notifyAll();
        }
        return task;
    }

    private synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /** Runs the tasks; the work of the thread. */
    private void serve() {
        while (true) {
            try {
                for (Task due = next(); due != null; due = next()) {
                    due.run();
                }
                return;
            } catch (Throwable e) {
                Thread.onSpinWait(); // memory ran out before a task was taken, so none is lost
            }
        }
    }

    /** Waits for the next task and takes it; null if the thread ends, because there is none. */
    private synchronized @Nullable Task next() {
        long idleEnd = System.nanoTime() + IDLE_NANOS;
        while (true) {
            Task first = tasks.peek();
            long remaining = (first == null ? idleEnd : first.dueNanos) - System.nanoTime();
            if (remaining > 0) {
                await(remaining);
            } else if (first == null) {
                running = false;
                return null;
            } else {
                return tasks.poll();
            }
        }
    }

    private void await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            // Nothing ends this thread by an interrupt, so it continues.
        }
    }
}
