package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of {@link Turns}. One thread makes it, once; then its future is completed. Guarded by its monitor. */
final class Turn<T> {
    private final Workers workers;
    private final Supplier<T> call;
    private final Runnable skipped;
    /** Whether a caller waits and may make the call itself. */
    final boolean waitedFor;

    final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Thread thread;
    private boolean interrupted;
    private volatile boolean over;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Turn(Workers workers, Supplier<T> call, Runnable skipped, boolean waitedFor) {
        this.workers = workers;
        this.call = call;
        this.skipped = skipped;
        this.waitedFor = waitedFor;
    }

    /** Makes the call and keeps the outcome for {@link #complete}. */
    void run() {
        try {
            if (!begin()) {
                skipped.run();
                return;
            }
            value = call.get();
        } catch (Throwable e) {
            failure = e;
        } finally {
            end();
            over = true;
        }
    }

    boolean hasCallbacks() {
        return future.getNumberOfDependents() > 1;
    }

    /** Completes the future; several threads may call this. */
    void complete() {
        if (future.isDone()) {
            return;
        }
        try {
            workers.complete(future, 1, this::settle);
        } catch (Throwable e) {
            settle(); // memory ran out
        }
    }

    private void settle() {
        if (!over) {
            return;
        }
        if (failure != null) {
            Completions.fail(future, failure);
        } else {
            Completions.complete(future, value);
        }
    }

    private synchronized boolean begin() {
        if (future.isDone()) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /** Ensures that no later interrupt of this call hits the thread's next work. */
    private synchronized void end() {
        thread = null;
        if (interrupted) {
            Thread.interrupted();
        }
    }

    synchronized void interrupt() {
        interrupted = thread != null;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
