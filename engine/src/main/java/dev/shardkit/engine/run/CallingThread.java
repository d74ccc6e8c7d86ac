package dev.shardkit.engine.run;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread of a blocking run, which is its first worker: it takes units of work, waits if there is none, and
 * ends the run. A thread that waits for the future of an asynchronous run works in the same way ({@link #help}), but
 * another thread may end that run. The run's monitor guards the state of this class.
 */
final class CallingThread {
    private final PlanExecution<?> run;
    private final RunThreads threads;
    /** The number of threads (0 or 1) that wait for work or the end of the run. */
    private int waiting;

    CallingThread(PlanExecution<?> run, RunThreads threads) {
        this.run = run;
        this.threads = threads;
    }

    /** Returns the number of threads (0 or 1) that wait. The caller holds the run's monitor. */
    int waiting() {
        return waiting;
    }

    /** Returns the next unit, and waits for it; null if the run has ended or the thread was interrupted. */
    @Nullable
    WorkUnit takeOrWait() {
        try {
            synchronized (run) {
                while (!run.isDone()) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                    if (run.waitingUnits() > 0) {
                        return run.takeUnit();
                    }
                    pause();
                }
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            run.fail(new CancellationException("interrupted"));
            return null;
        }
    }

    /**
     * Lets the calling thread, which waits for the run's future, perform units. Returns when the run has ended, the
     * thread is interrupted, or {@code isOver} is true; {@link #wake} makes a waiting thread look at {@code isOver}.
     *
     * @return false if another thread helps already
     */
    boolean help(BooleanSupplier isOver) {
        synchronized (run) {
            if (!threads.join()) {
                return false;
            }
        }
        try {
            run.work(() -> takeUnlessOver(isOver));
        } catch (Throwable e) {
            run.fail(e);
        } finally {
            int threadsToRequest;
            synchronized (run) {
                threadsToRequest = threads.leave();
            }
            threads.request(threadsToRequest);
            run.endIfDone();
        }
        return true;
    }

    /** Wakes a thread that helps. */
    void wake() {
        synchronized (run) {
            run.notifyAll();
        }
    }

    /** Returns the next unit for a helping thread, and waits for it; null if the thread should help no longer. */
    private @Nullable WorkUnit takeUnlessOver(BooleanSupplier isOver) {
        synchronized (run) {
            while (!run.isDone()
                    && !isOver.getAsBoolean()
                    && !Thread.currentThread().isInterrupted()) {
                if (run.waitingUnits() > 0 && threads.mayTake()) {
                    return requeuedOnInterrupt(run.takeUnit());
                }
                try {
                    pause();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return null;
        }
    }

    /** Wraps a unit: if an interrupt of this thread ends the unit, it is queued again for another thread. */
    private WorkUnit requeuedOnInterrupt(WorkUnit unit) {
        return scratch -> {
            try {
                return unit.run(scratch);
            } catch (WorkUnit.Failed e) {
                if (!(e.getCause() instanceof CancellationException)
                        || !Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                run.answered(List.of(unit)); // queues the unit again
                return List.of();
            }
        };
    }

    /** Waits until the run wakes its threads. The caller holds the run's monitor. */
    private void pause() throws InterruptedException {
        waiting++;
        try {
            run.wait();
        } finally {
            waiting--;
        }
    }

    /** Waits until cancelled work has ended, so that it never writes to the caller's memory afterwards. */
    void awaitEnd() {
        boolean interrupted = false;
        synchronized (run) {
            while (!run.isDone()) {
                try {
                    pause();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            run.close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
