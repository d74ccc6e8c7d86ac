package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of {@link Turns}. One thread makes it, once; then its future is completed. */
final class Turn<T> {
    private final Workers workers;
    private final Supplier<T> call;
    private final Runnable skipped;
    /** Whether a caller waits and may make the call itself. */
    final boolean waitedFor;

    final CompletableFuture<T> future = new CompletableFuture<>();
    private final CallInterrupt thread = new CallInterrupt();
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
            if (!thread.begin(future)) {
                skipped.run();
                return;
            }
            value = call.get();
        } catch (Throwable e) {
            failure = e;
        } finally {
            thread.end();
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

    /** Interrupts the call if it is running. */
    void interrupt() {
        thread.interrupt();
    }
}
