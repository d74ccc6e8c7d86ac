package dev.shardkit.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One call of {@link Turns}: it is made once, by one thread; then its future is completed. Guarded by its monitor. */
final class Turn<T> {
    private final Workers workers;
    private final Supplier<T> call;
    private final Runnable skipped;
    /** Whether a caller waits, who makes the call himself. */
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

    /** Makes the call; what it came to is for {@link #complete}. */
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

    /** Completes the future, which more than one thread may do. */
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

    /** After this no interrupt of ours can hit whatever the thread does next. */
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
