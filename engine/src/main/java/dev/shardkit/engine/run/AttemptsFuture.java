package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.engine.threads.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The future of a plan's attempts. One attempt runs at a time.
 *
 * <p>A thread that waits for it without a time limit works for the attempts: it takes their units of work like a caller
 * of a blocking call ({@link CallingThread#help}). So it does not wait for a thread switch, and the read ends even if
 * the caller's executor has no other thread. A wait that has a limit only waits, because a unit may take longer than
 * the limit.
 */
final class AttemptsFuture<T> extends CallFuture<T> {
    private final Workers workers;
    private @Nullable Execution<T> current;
    private @Nullable CompletableFuture<T> run;
    /** Whether waiting threads are to work no longer: the future is being completed, or has a time limit. */
    private volatile boolean over;

    private @Nullable Throwable reason;

    AttemptsFuture(Workers workers) {
        this.workers = workers;
    }

    /** Completes this future on a thread on which the caller's dependents may run. Throws nothing. */
    void finish(@Nullable T value, @Nullable Throwable thrown) {
        dismiss();
        workers.end(this, value, thrown);
    }

    /** Starts the next attempt, and returns its future. */
    CompletableFuture<T> begin(Execution<T> attempt) {
        CompletableFuture<T> started = attempt.start();
        Throwable stopped;
        synchronized (this) {
            current = attempt;
            run = started;
            stopped = reason;
            notifyAll();
        }
        if (stopped != null) {
            stop(started, stopped);
        }
        return started;
    }

    @Override
    protected void stopWork(Throwable why) {
        dismiss();
        CompletableFuture<T> last;
        synchronized (this) {
            reason = why;
            last = run;
        }
        if (last != null) {
            stop(last, why);
        }
    }

    @Override
    public void help() {
        try {
            Execution<T> helped = null;
            for (Execution<T> next = next(helped); next != null; next = next(helped)) {
                if (!next.caller.help(() -> over)) {
                    return;
                }
                helped = next;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the attempt after {@code last}, and waits for it; null if there is no more work for this thread. */
    private synchronized @Nullable Execution<T> next(@Nullable Execution<T> last) throws InterruptedException {
        while (!over && !isDone()) {
            if (Thread.currentThread().isInterrupted()) {
                return null;
            }
            if (current != last) {
                return current;
            }
            wait();
        }
        return null;
    }

    /** Sends waiting threads to the future itself: its dependents, which run now, may block. */
    private void dismiss() {
        Execution<T> last;
        synchronized (this) {
            over = true;
            last = current;
            notifyAll();
        }
        if (last != null) {
            last.caller.wake();
        }
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        dismiss();
        return super.orTimeout(timeout, unit);
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        dismiss();
        return super.completeOnTimeout(value, timeout, unit);
    }
}
