package dev.shardkit.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of {@link Turns}, and its future. One thread makes it, once; then the future is completed. */
final class Turn<T> extends CallFuture<T> {
    private final Turns turns;
    private final Workers workers;
    private final Supplier<T> call;
    private final Runnable skipped;
    /** Whether a caller waits and may make the call itself. */
    final boolean waitedFor;

    private final CallInterrupt thread = new CallInterrupt();
    private volatile boolean over;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Turn(Turns turns, Workers workers, Supplier<T> call, Runnable skipped, boolean waitedFor) {
        this.turns = turns;
        this.workers = workers;
        this.call = call;
        this.skipped = skipped;
        this.waitedFor = waitedFor;
    }

    /** Makes the call and keeps the outcome for {@link #publish}. */
    void run() {
        if (!thread.begin()) {
            skipped.run();
            return;
        }
        try {
            working(() -> value = call.get());
        } catch (Throwable e) {
            failure = e;
        } finally {
            thread.end();
            over = true;
        }
    }

    boolean hasCallbacks() {
        return getNumberOfDependents() > 0;
    }

    /** Completes the future of a call that was made; several threads may call this. Throws nothing. */
    void publish() {
        if (over && !isDone()) {
            workers.end(this, value, failure);
        }
    }

    /** Interrupts the call if it is running; if it has not begun, its turn only skips it. */
    @Override
    void stopWork(Throwable reason) {
        if (thread.stop()) {
            workers.end(this, null, reason);
        }
    }

    @Override
    void help() {
        if (!workers.areOwn()) {
            turns.help(this);
        }
    }
}
