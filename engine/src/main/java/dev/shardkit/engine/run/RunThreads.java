package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.UnitThreads;
import dev.shardkit.engine.threads.WorkerPool;
import dev.shardkit.engine.threads.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many threads help the calling thread of one run, and requests them from {@code UnitThreads}. Each thread
 * executes units of work until there are none left, or until its time slice ends if other runs wait. The run's monitor
 * guards the counts.
 */
final class RunThreads {
    /** How long a helping thread stays with a run while others wait, in nanoseconds. */
    private static final long SLICE = 1_000_000;
    /** How long a helping thread stays while a run waits that has not begun, in nanoseconds. */
    private static final long SHORT_SLICE = 100_000;

    private final PlanExecution<?> run;
    private final Workers workers;
    private int maxThreads;
    /** The number of requested threads, running or not. */
    private int requested;

    private int unstarted;
    /** Whether a thread that waits for the run counts as one of its threads. */
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
     * Returns how many more threads to {@link #request}, which count from now on. Under the run's monitor.
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
     * threads then leaves. Returns false if another thread has joined. Under the run's monitor.
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

    /** Returns whether a unit that a worker has begun at that time is to end early: a run waits that has not begun. */
    boolean mustYield(long startNanos) {
        return workers.helpers().isAwaitedByNew()
                && WorkerPool.isServing()
                && System.nanoTime() - startNanos > SHORT_SLICE;
    }

    /**
     * Requests the reserved threads. If there are none and the run has no other thread, the run fails. Throws nothing.
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
        private boolean isQueued;
        private boolean worked;
        private boolean yielding;
        private boolean mayYield;
        private boolean mustContinue;
        private long startNanos;

        @Override
        public void run() {
            // An executor may run this inside execute(): then there is no queue, and yielding would only deepen the
            // stack.
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
            return nanos > SHORT_SLICE && helpers.isAwaitedByNew() || nanos > SLICE && helpers.isAwaited();
        }

        private void continueLater() {
            try {
                Help successor = new Help();
                workers.helpers().continueLater(successor);
                successor.isQueued = true;
            } catch (Throwable e) {
                mustContinue = true; // only this thread remains, so it continues
                yielding = false;
                run();
            }
        }
    }
}
