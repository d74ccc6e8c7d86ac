package dev.shardkit.engine;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The tasks of one call that waits for them. Each runs on an executor or, if no thread has begun it, on the thread that
 * waits. So the call ends even if its executor has no other thread, or if its other threads all wait for such calls.
 * Guarded by its monitor, which is not held while a task runs.
 */
final class SharedTasks {
    private final Runnable added;
    /** Those that no thread has begun, oldest first. */
    private final Set<Task> waiting = new LinkedHashSet<>();

    /**
     * None yet.
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

    /** Runs the oldest task that no thread has begun; whether there was one. */
    boolean runOne() {
        Optional<Task> first;
        synchronized (this) {
            first = waiting.stream().findFirst();
            first.ifPresent(waiting::remove);
        }
        first.ifPresent(task -> task.work.run());
        return first.isPresent();
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Adds a task for {@code executor}. The executor may refuse it or drop it: the thread that waits runs it then.
     *
     * @return what to hand to the executor
     */
    private Runnable add(Runnable work) {
        Task task = new Task(work);
        synchronized (this) {
            waiting.add(task);
        }
        added.run();
        return task;
    }

    /** Adds tasks here that are given to {@code executor}. */
    Executor over(Executor executor) {
        return work -> offer(executor, work);
    }

    private void offer(Executor executor, Runnable work) {
        Runnable task = add(work);
        try {
            executor.execute(task);
        } catch (RuntimeException e) {
            System.getLogger("dev.shardkit.engine")
                    .log(System.Logger.Level.DEBUG, "an executor takes no more tasks", e);
        }
    }

    /** The same of threads that help with runs. */
    Workers.Helpers over(Workers.Helpers helpers) {
        return new Workers.Helpers() {
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
        };
    }
}
