package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.UnitThreads;
import dev.shardkit.engine.threads.WorkerPool;
import dev.shardkit.engine.threads.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many threads help the calling thread of one run, and requests them from {@code UnitThreads}. Each
 * requested thread executes units of work until none is left. If other runs wait, it leaves when its time slice ends,
 * and a successor is queued. A thread that waits for the run's future may join, which means that it executes units,
 * too. The run's monitor guards the counts.
 */
final class RunThreads {
    /** How long a helping thread stays with a run while other runs wait. */
    private static final long SLICE_NANOS = 1_000_000;
    /** How long a helping thread stays with a run while another run waits that has not begun. */
    private static final long SHORT_SLICE_NANOS = 100_000;

    private final PlanExecution<?> run;
    private final Workers workers;
    /** The maximum number of requested threads. While a thread has joined, it is one less. */
    private int maxThreads;
    /** The number of requested threads, running or not. */
    private int requested;
    /** The number of requested threads that do not run yet. */
    private int unstarted;
    /** Whether a thread that waits for the run has joined. */
    private boolean joined;

    RunThreads(PlanExecution<?> run, Workers workers) {
        this.run = run;
        this.workers = workers;
    }

    /** Sets the maximum number of threads. */
    void limit(int maximum) {
        maxThreads = maximum;
    }

    /**
     * Returns how many more threads to {@link #request}. They count as requested from now on. Called under the run's
     * monitor.
     *
     * @param units the number of waiting units
     * @param takers the number of units that other threads take next
     */
    int reserve(int units, int takers) {
        int count = Math.max(0, Math.min(maxThreads - requested, units - takers - unstarted));
        requested += count;
        unstarted += count;
        return count;
    }

    /**
     * Counts a thread that waits for the run, and works meanwhile, as one of the run's threads. One of the requested
     * threads then leaves. Returns false if another thread has joined already. Called under the run's monitor.
     */
    boolean join() {
        if (joined) {
            return false;
        }
        joined = true;
        maxThreads--;
        return true;
    }

    /**
     * Undoes {@link #join}. Returns how many threads to {@link #request} to replace this one. Called under the run's
     * monitor.
     */
    int leave() {
        joined = false;
        maxThreads++;
        return reserve(run.waitingUnits(), 0);
    }

    /**
     * Returns whether the thread that has joined may take a unit, because the requested thread that it replaces has
     * left. Under the run's monitor.
     */
    boolean mayTake() {
        return requested - unstarted <= maxThreads;
    }

    /** Returns whether a thread has joined. Under the run's monitor. */
    boolean isJoined() {
        return joined;
    }

    /**
     * Returns whether a unit of work must end early, because another run waits that has not begun.
     *
     * @param startNanos when the worker began the unit
     */
    boolean mustYield(long startNanos) {
        return workers.helpers().isAwaitedByNew()
                && WorkerPool.isServing()
                && System.nanoTime() - startNanos > SHORT_SLICE_NANOS;
    }

    /**
     * Requests the reserved threads. If the executor rejects them and the run has no other thread, the run fails.
     * Throws nothing.
     */
    void request(int count) {
        for (int i = 0; i < count; i++) {
            try {
                Help help = new Help();
                workers.helpers().execute(help);
                help.isQueued = true;
            } catch (Throwable e) {
                boolean alone;
                synchronized (run) {
                    requested -= count - i;
                    unstarted -= count - i;
                    alone = requested == 0 && run.isStuck();
                }
                if (alone) {
                    run.fail(e);
                }
                return;
            }
        }
    }

    /** The work of one helping thread. */
    private final class Help implements Runnable {
        private final Thread requestingThread = Thread.currentThread();
        /** Whether the executor has accepted this task before it ran. */
        private boolean isQueued;
        /** Whether this thread has taken a unit. */
        private boolean worked;
        /** Whether the time slice has ended, so that this thread leaves and a successor is queued. */
        private boolean yielding;
        /** Whether this thread may leave at the end of its time slice. */
        private boolean mayYield;
        /** Whether no successor could be queued. */
        private boolean mustContinue;

        private long startNanos;

        @Override
        public void run() {
            // An executor may run this task inside execute(), on the requesting thread. A successor would run inside
            // this task in the same way and deepen the stack, so such a thread does not yield.
            mayYield = !mustContinue && (requestingThread != Thread.currentThread() || isQueued);
            startNanos = System.nanoTime();
            synchronized (run) {
                unstarted--;
            }
            try {
                run.work(this::takeUnit);
            } catch (Throwable e) {
                run.fail(e);
            }
            if (yielding) {
                continueLater();
            }
            run.endIfDone();
        }

        /** Returns the next unit; null if this thread leaves the run. */
        private @Nullable WorkUnit takeUnit() {
            boolean sliceEnded = mayYield && worked && isSliceOver(System.nanoTime() - startNanos);
            synchronized (run) {
                if (run.waitingUnits() == 0 || requested > maxThreads) {
                    requested--;
                    run.notifyAll(); // for the thread that has joined
                    return null;
                }
                if (sliceEnded) {
                    unstarted++;
                    yielding = true;
                    return null;
                }
                worked = true;
                return run.takeUnit();
            }
        }

        private boolean isSliceOver(long nanos) {
            UnitThreads helpers = workers.helpers();
            return nanos > SHORT_SLICE_NANOS && helpers.isAwaitedByNew() || nanos > SLICE_NANOS && helpers.isAwaited();
        }

        /** Queues a successor of this thread; if that fails, this thread continues. */
        private void continueLater() {
            try {
                Help successor = new Help();
                workers.helpers().continueLater(successor);
                successor.isQueued = true;
            } catch (Throwable e) {
                mustContinue = true;
                yielding = false;
                run();
            }
        }
    }
}
