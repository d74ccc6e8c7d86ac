package dev.shardkit.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One call of {@link Turns}. One thread makes it, once; then its future is completed. Guarded by its monitor. */
final class Turn<T> {
    private final Workers workers;
    private final Supplier<T> call;
    private final Runnable skipped;
    /** Whether a caller waits and may make the call itself. */
    final boolean waitedFor;

    final CompletableFuture<T> future = new CompletableFuture<>();
    private Optional<Thread> thread = Optional.empty();
    private boolean interrupted;
    private volatile Runnable completion = () -> {};

    Turn(Workers workers, Supplier<T> call, Runnable skipped, boolean waitedFor) {
        this.workers = workers;
        this.call = call;
        this.skipped = skipped;
        this.waitedFor = waitedFor;
    }

    /** Makes the call and keeps the outcome for {@link #complete}. */
    void run() {
        if (!begin()) {
            skipped.run();
            return;
        }
        try {
            T value = call.get();
            end();
            completion = () -> future.complete(value);
        } catch (Throwable e) {
            end();
            completion = () -> future.completeExceptionally(e);
        }
    }

    boolean hasCallbacks() {
        return future.getNumberOfDependents() > 1;
    }

    /** Completes the future; several threads may call this. */
    void complete() {
        if (!future.isDone()) {
            workers.complete(future, 1, completion);
        }
    }

    private synchronized boolean begin() {
        if (future.isDone()) {
            return false;
        }
        thread = Optional.of(Thread.currentThread());
        return true;
    }

    /** Ensures that no later interrupt of this call hits the thread's next work. */
    private synchronized void end() {
        thread = Optional.empty();
        if (interrupted) {
            Thread.interrupted();
        }
    }

    synchronized void interrupt() {
        interrupted = thread.isPresent();
        thread.ifPresent(Thread::interrupt);
    }
}
