package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.UnitThreads;
import dev.shardkit.engine.threads.WorkerPool;
import dev.shardkit.engine.threads.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Requests threads for a run, beside the calling thread. Each thread executes units of work until there are none left,
 * or until its time slice ends if other runs wait. The run's monitor guards the counts.
 */
final class RunThreads {
    /** How long a helping thread stays with a run while others wait, in nanoseconds. */
    private static final long SLICE = 1_000_000;
    /** How long it stays while a run waits that has not begun. */
    private static final long SHORT_SLICE = 100_000;

    private final Execution<?> run;
    private final Workers workers;
    private int places;
    /** The number of requested threads, running or not, and of those that have not begun. */
    private int helpers;

    private int beginning;
    /** Whether a thread that waits for the run takes one of the places. */
    private boolean joined;

    RunThreads(Execution<?> run, Workers workers) {
        this.run = run;
        this.workers = workers;
    }

    /** Sets the maximum number of threads. */
    void limit(int most) {
        places = most;
    }

    /**
     * Returns how many more threads to {@link #ask}, which count from now on. Under the run's monitor.
     *
     * @param units the number of waiting units
     * @param takers the number of units that other threads take next
     */
    int reserve(int units, int takers) {
        int wanted = Math.max(0, Math.min(places - helpers, units - takers - beginning));
        helpers += wanted;
        beginning += wanted;
        return wanted;
    }

    /**
     * Gives a place to a thread that waits for the run and works meanwhile; the last of the requested threads makes
     * way. Returns false if another thread has it. Under the run's monitor.
     */
    boolean join() {
        if (joined) {
            return false;
        }
        joined = true;
        places--;
        return true;
    }

    /**
     * Undoes {@link #join}. Returns how many threads to {@link #ask} to replace this one. Called under the run's
     * monitor.
     */
    int leave() {
        joined = false;
        places++;
        return reserve(run.waitingUnits(), 0);
    }

    /**
     * Returns whether the thread that has joined may take a unit: the one that makes way has left. Under the run's
     * monitor.
     */
    boolean hasWay() {
        return helpers - beginning <= places;
    }

    /** Returns whether a thread has joined. Under the run's monitor. */
    boolean isJoined() {
        return joined;
    }

    /** Returns whether a unit that a worker has begun at that time is to end early: a run waits that has not begun. */
    boolean mustYield(long begun) {
        return workers.helpers().isAwaitedByNew() && WorkerPool.isServing() && System.nanoTime() - begun > SHORT_SLICE;
    }

    /**
     * Requests the reserved threads. If there are none and the run has no other thread, the run fails. Throws nothing.
     */
    void ask(int count) {
        for (int i = 0; i < count; i++) {
            try {
                Help help = new Help();
                workers.helpers().execute(help);
                help.asked = true;
            } catch (Throwable e) {
                boolean alone;
                synchronized (run) {
                    helpers -= count - i;
                    beginning -= count - i;
                    alone = helpers == 0 && run.isStuck();
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
        private final Thread asking = Thread.currentThread();
        private boolean asked;
        private boolean worked;
        private boolean yielding;
        private boolean queued;
        private boolean alone;
        private long begun;

        @Override
        public void run() {
            // An executor may run this inside execute(): then there is no queue, and yielding would only deepen the
            // stack.
            queued = !alone && (asking != Thread.currentThread() || asked);
            begun = System.nanoTime();
            synchronized (run) {
                beginning--;
            }
            try {
                run.work(this::take);
            } catch (Throwable e) {
                run.fail(e);
            }
            if (yielding) {
                continueLater();
            }
            run.endIfDone();
        }

        private @Nullable WorkUnit take() {
            boolean over = queued && worked && isOver(System.nanoTime() - begun);
            synchronized (run) {
                if (run.waitingUnits() == 0 || helpers > places) {
                    helpers--;
                    run.notifyAll(); // for the thread that has joined
                    return null;
                }
                if (over) {
                    beginning++;
                    yielding = true;
                    return null;
                }
                worked = true;
                return run.taken();
            }
        }

        private boolean isOver(long nanos) {
            UnitThreads helpers = workers.helpers();
            return nanos > SHORT_SLICE && helpers.isAwaitedByNew() || nanos > SLICE && helpers.isAwaited();
        }

        private void continueLater() {
            try {
                Help rest = new Help();
                workers.helpers().continueLater(rest);
                rest.asked = true;
            } catch (Throwable e) {
                alone = true; // only this thread remains, so it continues
                yielding = false;
                run();
            }
        }
    }
}
