package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a number of jobs and returns when all have ended. The jobs may wait for a store or a lock. They run on the
 * calling thread, and on threads of an executor that help. The caller waits for jobs that have begun, but not for
 * helpers that the executor never starts. After a failure no further job begins; interrupting the caller interrupts the
 * other jobs, too. Guarded by its monitor; used once.
 */
public final class BlockingJobs {
    private final long count;
    /**
     * The job, called with its number. Replaced by a no-op at the end: an executor may keep this object for helpers
     * that never began, and must not keep the caller's data with it.
     */
    private volatile LongConsumer job;

    /** The helping threads. */
    private final Set<Thread> helpers = new HashSet<>();
    /** The helpers that the caller has interrupted. */
    private final Set<Thread> interrupted = new HashSet<>();

    private @Nullable Throwable failure;
    /** The number of the next job. */
    private long next;
    /** Whether the caller takes no more helpers. */
    private boolean isOver;

    private BlockingJobs(long count, LongConsumer job) {
        this.count = count;
        this.job = job;
    }

    /** Runs jobs 0 to {@code count} (exclusive) on at most {@code parallel} threads; throws the first failure. */
    public static void run(long count, LongConsumer job, int parallel, Executor executor) {
        BlockingJobs jobs = new BlockingJobs(count, job);
        try {
            for (long i = 1; i < Math.min(count, parallel); i++) {
                executor.execute(jobs::help);
            }
        } catch (Exception e) {
            // the calling thread and the helpers that were accepted run the jobs
            Failures.log(System.Logger.Level.DEBUG, "an executor rejected a task", e);
        } catch (Throwable e) {
            // running jobs end before the caller gets the exception
            jobs.fail(e);
        }
        jobs.work();
        jobs.awaitOthers();
        jobs.job = i -> {};
        if (jobs.failure != null) {
            throw Failures.rethrow(jobs.failure);
        }
    }

    /** Runs jobs on a thread of the executor, unless the caller has stopped taking helpers. */
    private void help() {
        synchronized (this) {
            if (isOver || !helpers.add(Thread.currentThread())) {
                return;
            }
        }
        work();
        synchronized (this) {
            helpers.remove(Thread.currentThread());
            if (interrupted.contains(Thread.currentThread())) {
                Thread.interrupted(); // clears the interrupt, which was meant for a job
            }
            notifyAll();
        }
    }

    /** Runs jobs until none is left, or one has failed. */
    private void work() {
        for (long i = takeNumber(); i >= 0; i = takeNumber()) {
            try {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted");
                }
                job.accept(i);
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    /** Returns the number of the next job; -1 if there is none. Allocates nothing, so no job is lost. */
    private synchronized long takeNumber() {
        return failure != null || next == count ? -1 : next++;
    }

    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
    }

    /** Takes no more helpers, and waits for those that have begun. */
    private synchronized void awaitOthers() {
        isOver = true;
        boolean callerInterrupted = false;
        while (!helpers.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                callerInterrupted = true;
                interruptOthers();
            }
        }
        if (callerInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void interruptOthers() {
        try {
            fail(new CancellationException("interrupted"));
            interrupted.addAll(helpers);
            helpers.forEach(Thread::interrupt);
        } catch (Throwable e) {
            fail(e); // the caller still waits for the others
        }
    }
}
