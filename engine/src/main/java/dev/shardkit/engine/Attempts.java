package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
final class Attempts<T> extends CompletableFuture<T> {
    private final Workers workers;
    private @Nullable Execution<T> current;
    private @Nullable CompletableFuture<T> run;
    /** Whether waiting threads are to work no longer: the future is being completed, or has a time limit. */
    private volatile boolean over;

    Attempts(Workers workers) {
        this.workers = workers;
        whenComplete((value, thrown) -> cancelRun());
    }

    /** Completes this future on a thread on which the caller's dependents may run. */
    void end(Runnable completion) {
        workers.complete(this, 1, completion); // cancelRun() is the only dependent that belongs to the engine
    }

    /** Starts the next attempt, and returns its future. */
    CompletableFuture<T> begin(Execution<T> attempt) {
        CompletableFuture<T> started = attempt.start();
        synchronized (this) {
            current = attempt;
            run = started;
            notifyAll();
        }
        if (isDone()) {
            started.cancel(true);
        }
        return started;
    }

    private void cancelRun() {
        CompletableFuture<T> last;
        synchronized (this) {
            last = run;
        }
        if (last != null) {
            last.cancel(true);
        }
    }

    @Override
    public T join() {
        help();
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        help();
        return super.get();
    }

    private void help() {
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
    public boolean complete(T value) {
        dismiss();
        return super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        dismiss();
        return super.completeExceptionally(thrown);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        dismiss();
        cancelRun(); // before the caller's dependents, which may block
        return super.cancel(mayInterruptIfRunning);
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

    /** Futures that depend on this one only wait. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
