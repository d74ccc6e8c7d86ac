package dev.shardkit.engine;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one call that waits for them. Each task runs on an executor or, if no thread has begun it, on the
 * waiting thread. So the call ends even if its executor has no other thread, or if all its other threads wait for such
 * calls. Guarded by its monitor, which is not held while a task runs.
 */
final class SharedTasks {
    private final Runnable added;
    /** The tasks that no thread has begun, oldest first. */
    private final Set<Task> waiting = new LinkedHashSet<>();

    /**
     * Starts without tasks.
     *
     * @param added is called after each task that is added
     */
    SharedTasks(Runnable added) {
        this.added = added;
    }

    private final class Task implements Runnable {
        private final Runnable work;

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (take(this)) {
                work.run();
            }
        }
    }

    private synchronized boolean take(Task task) {
        return waiting.remove(task);
    }

    /** Runs the oldest task that no thread has begun; returns whether there was one. */
    boolean runOne() {
        @Nullable Task first = null;
        synchronized (this) {
            Iterator<Task> all = waiting.iterator(); // if memory runs out here, the task stays
            if (all.hasNext()) {
                first = all.next();
                all.remove();
            }
        }
        if (first != null) {
            first.work.run();
        }
        return first != null;
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Adds a task for {@code executor}. If the executor rejects or drops it, the waiting thread runs it.
     *
     * @return the task to pass to the executor
     */
    private Runnable add(Runnable work) {
        Task task = new Task(work);
        synchronized (this) {
            waiting.add(task);
        }
        added.run();
        return task;
    }

    /** Returns an executor that also adds its tasks here. */
    Executor over(Executor executor) {
        return work -> offer(executor, work);
    }

    private void offer(Executor executor, Runnable work) {
        Runnable task = add(work);
        try {
            executor.execute(task);
        } catch (RuntimeException e) {
            Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
        }
    }

    /** Returns helpers that also add their tasks here. */
    Helpers over(Helpers helpers) {
        return new Helpers() {
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
