package dev.shardkit.engine;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread of a run, which is its first worker: it takes units of work, waits if there is none, and ends the
 * run. The run's monitor guards it.
 */
final class CallingThread {
    private final WorkQueue run;
    /** The number of threads (0 or the calling one) that wait for work or the end. */
    private int waiting;

    CallingThread(WorkQueue run) {
        this.run = run;
    }

    /** Returns the number of threads (0 or 1) that wait. Under the monitor. */
    int waiting() {
        return waiting;
    }

    /** Returns the next unit, and waits for it; null if the run has ended. */
    @Nullable
    Work takeOrWait() {
        try {
            synchronized (run) {
                while (!run.isDone()) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                    if (run.hasUnits()) {
                        return run.taken();
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

    private void pause() throws InterruptedException {
        waiting++;
        try {
            run.wait();
        } finally {
            waiting--;
        }
    }

    /** Waits until cancelled work has ended. It never writes to the caller's memory afterwards. */
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
