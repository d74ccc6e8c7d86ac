package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The parallel tasks of one call, shared between an executor and the thread that waits for the call. Each task runs on
 * the first thread that begins it. So the call ends even if its executor has no other thread, or if all other threads
 * of the executor wait for calls like this one. Guarded by its monitor, which is not held while a task runs.
 */
public final class SharedTasks {
    private final Runnable onAdded;
    private final Awaited awaited;
    /** The tasks that no thread has begun, oldest first. */
    private final Set<Task> unstarted = new LinkedHashSet<>();

    /** Whether a thread waits for the call. */
    public enum Awaited {
        /** A thread waits, and runs the tasks that the executor rejects. */
        ALWAYS,
        /** Perhaps no thread ever waits. If the executor rejects a task, the call that added it gets the exception. */
        PERHAPS
    }

    /**
     * Creates an empty set of tasks.
     *
     * @param onAdded is called after each task that is added, to wake a waiting thread
     */
    public SharedTasks(Runnable onAdded, Awaited awaited) {
        this.onAdded = onAdded;
        this.awaited = awaited;
    }

    /** A task, which runs on the executor unless the waiting thread has begun it before. */
    private final class Task implements Runnable {
        private final Runnable work;

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (claim(this)) {
                work.run();
            }
        }
    }

    /** Takes a task. Returns false if another thread has begun it. */
    private synchronized boolean claim(Task task) {
        return unstarted.remove(task);
    }

    /** Runs the oldest task that no thread has begun; returns whether there was one. */
    public boolean runOne() {
        @Nullable Task task = null;
        synchronized (this) {
            Iterator<Task> oldest = unstarted.iterator(); // if memory runs out here, the task stays
            if (oldest.hasNext()) {
                task = oldest.next();
                oldest.remove();
            }
        }
        if (task != null) {
            task.work.run();
        }
        return task != null;
    }

    /** Returns whether all tasks have begun. */
    public synchronized boolean isEmpty() {
        return unstarted.isEmpty();
    }

    /** Adds a task, and returns it for the executor. */
    private Task add(Runnable work) {
        Task task = new Task(work);
        synchronized (this) {
            unstarted.add(task);
        }
        onAdded.run();
        return task;
    }

    /** Returns an executor that also adds its tasks here. */
    Executor alsoRunning(Executor executor) {
        return work -> offer(executor, work);
    }

    /** Adds a task here and passes it to the executor. */
    private void offer(Executor executor, Runnable work) {
        Task task = add(work);
        try {
            executor.execute(task);
        } catch (RuntimeException e) {
            if (awaited == Awaited.PERHAPS && claim(task)) {
                throw e;
            }
            Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
        }
    }

    /** Returns helpers that also add their tasks here. */
    UnitThreads alsoRunning(UnitThreads helpers) {
        return new UnitThreads() {
            @Override
            public void execute(Runnable task) {
                offer(helpers::execute, task);
            }

            @Override
            public void continueLater(Runnable task) {
                offer(helpers::continueLater, task);
            }

            @Override
            public boolean isAwaited() {
                return helpers.isAwaited();
            }

            @Override
            public boolean isAwaitedByNew() {
                return helpers.isAwaitedByNew();
            }
        };
    }
}
