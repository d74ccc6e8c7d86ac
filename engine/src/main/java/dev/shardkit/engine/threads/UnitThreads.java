package dev.shardkit.engine.threads;

import java.util.concurrent.Executor;

/**
 * The threads that execute the units of work of all runs: the engine's own ({@link WorkerPool}) or those of a caller's
 * executor. {@code RunThreads} decides how many of them one run uses.
 */
public interface UnitThreads {
    /** Runs a task of a new run. */
    void execute(Runnable task);

    /** Runs a task of a run that has used its time slice, after the waiting ones. */
    void continueLater(Runnable task);

    /** Returns whether other runs may wait for the calling thread. */
    boolean isAwaited();

    /** Returns whether a run that has not begun is known to wait for a thread. Cheap. */
    boolean isAwaitedByNew();

    /** The engine's own threads. */
    record OnPool(WorkerPool pool) implements UnitThreads {
        @Override
        public void execute(Runnable task) {
            pool.execute(task);
        }

        @Override
        public void continueLater(Runnable task) {
            pool.continueLater(task);
        }

        @Override
        public boolean isAwaited() {
            return pool.isAwaited();
        }

        @Override
        public boolean isAwaitedByNew() {
            return pool.isAwaitedByNew();
        }
    }

    /** The threads of a caller's executor, whose queue is unknown, so that other runs may always wait. */
    record OnExecutor(Executor executor) implements UnitThreads {
        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void continueLater(Runnable task) {
            executor.execute(task);
        }

        @Override
        public boolean isAwaited() {
            return true;
        }

        @Override
        public boolean isAwaitedByNew() {
            return false;
        }
    }
}
