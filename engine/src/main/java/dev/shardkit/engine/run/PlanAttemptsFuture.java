package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.engine.threads.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The future of a plan that is retried if an object changes. One attempt runs at a time.
 *
 * <p>A thread that waits for the future without a time limit works for the attempts: it takes their units of work like
 * the caller of a blocking call ({@link CallingThread#help}). So it does not wait for a thread switch, and the read
 * ends even if the caller's executor has no other thread. A thread that waits with a limit does no work, because a unit
 * may take longer than the limit.
 */
final class PlanAttemptsFuture<T> extends CallFuture<T> {
    private final Workers workers;
    /** The latest attempt; guarded by this object's monitor, like the other fields. */
    private @Nullable PlanExecution<T> current;
    /** The future of the latest attempt. */
    private @Nullable CompletableFuture<T> run;
    /** Whether waiting threads must stop working: the future is being completed, or it has a time limit. */
    private volatile boolean helpEnded;

    /** Why the future was stopped; null if it was not. */
    private @Nullable Throwable stopReason;

    PlanAttemptsFuture(Workers workers) {
        this.workers = workers;
    }

    /** Completes this future on a thread on which the caller's dependents may run. Throws nothing. */
    void finish(@Nullable T value, @Nullable Throwable thrown) {
        endHelp();
        workers.end(this, value, thrown);
    }

    /** Starts the next attempt, and returns its future. */
    CompletableFuture<T> begin(PlanExecution<T> attempt) {
        CompletableFuture<T> started = attempt.start();
        Throwable cause;
        synchronized (this) {
            current = attempt;
            run = started;
            cause = stopReason;
            notifyAll();
        }
        if (cause != null) {
            stop(started, cause);
        }
        return started;
    }

    @Override
    protected void stopWork(Throwable cause) {
        endHelp();
        CompletableFuture<T> running;
        synchronized (this) {
            stopReason = cause;
            running = run;
        }
        if (running != null) {
            stop(running, cause);
        }
    }

    @Override
    public void help() {
        try {
            PlanExecution<T> helped = null;
            for (PlanExecution<T> attempt = awaitNext(helped); attempt != null; attempt = awaitNext(helped)) {
                if (!attempt.caller.help(() -> helpEnded)) {
                    return;
                }
                helped = attempt;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the attempt after {@code previous}, and waits for it; null if there is no more work for this thread. */
    private synchronized @Nullable PlanExecution<T> awaitNext(@Nullable PlanExecution<T> previous)
            throws InterruptedException {
        while (!helpEnded && !isDone()) {
            if (Thread.currentThread().isInterrupted()) {
                return null;
            }
            if (current != previous) {
                return current;
            }
            wait();
        }
        return null;
    }

    /**
     * Stops the help of waiting threads. From now on they wait for the future itself, because its dependents, which run
     * next, may block.
     */
    private void endHelp() {
        PlanExecution<T> latest;
        synchronized (this) {
            helpEnded = true;
            latest = current;
            notifyAll();
        }
        if (latest != null) {
            latest.caller.wake();
        }
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        endHelp();
        return super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        endHelp();
        return super.completeOnTimeout(value, timeout, unit);
    }
}
