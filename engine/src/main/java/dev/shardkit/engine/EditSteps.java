package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import dev.shardkit.spi.plan.Unit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous steps of one edit, which follow one another: each runs on the thread that completes the previous
 * one. The edit ends with its last step, with a failure, or when it is cancelled.
 */
final class EditSteps {
    /** Continues with the value of a step. */
    interface Next<T> {
        void with(T value);
    }

    /** The edit. */
    interface Owner {
        /** Handles the failure of a step. */
        void stepFailed(Throwable own);

        /** Ends the edit after another failure. Throws nothing. */
        void fail(Throwable thrown);
    }

    private final Owner owner;
    private final CompletableFuture<Unit> done = new CompletableFuture<>();
    /** The current step; guarded by this object. */
    private @Nullable CompletableFuture<?> step;
    /** Whether the step changes the object without a condition; guarded by this object. */
    private boolean changing;
    /** Whether no further step may begin; guarded by this object. */
    private boolean cancelled;

    EditSteps(Owner owner) {
        this.owner = owner;
    }

    /** Calls {@code ended} at the end, with the failure or null; to be registered before the first step. */
    void whenEnded(Consumer<@Nullable Throwable> ended) {
        done.whenComplete((value, thrown) -> end());
        done.whenComplete((value, thrown) -> ended.accept(thrown));
    }

    /**
     * Ends the edit after its current step. A change without a condition is awaited, not cancelled: a request that was
     * sent cannot be taken back, and after the lock is free it would overwrite the next writer's change.
     */
    void cancel() {
        synchronized (this) {
            cancelled = true;
            if (changing) {
                return;
            }
        }
        done.cancel(true);
    }

    /** Ends a cancelled edit; returns whether it was cancelled. */
    boolean endIfCancelled() {
        boolean ends;
        synchronized (this) {
            ends = cancelled && !changing;
        }
        if (ends) {
            done.cancel(true);
        }
        return ends;
    }

    /** Ends the edit successfully. */
    void complete() {
        Completions.complete(done, Unit.UNIT);
    }

    /** Ends the edit with a failure. */
    void fail(Throwable thrown) {
        Completions.fail(done, thrown);
    }

    /** Whether the edit has ended. */
    boolean isDone() {
        return done.isDone();
    }

    /** Makes a change without a condition and continues with its outcome; it is not cancelled once begun. */
    <T> void followToTheEnd(Supplier<CompletableFuture<T>> call, Next<T> next) {
        synchronized (this) {
            changing = !cancelled;
        }
        try {
            begin(call, next);
        } catch (Throwable e) {
            changed();
            throw e;
        }
    }

    /** Begins a step and continues with its value, unless the edit was cancelled. */
    <T> void begin(Supplier<CompletableFuture<T>> call, Next<T> next) {
        if (!endIfCancelled()) {
            follow(call.get(), next);
        }
    }

    /** Continues with the value of {@code future}. */
    <T> void follow(CompletableFuture<T> future, Next<T> next) {
        synchronized (this) {
            step = future;
        }
        endIfCancelled();
        if (done.isDone()) {
            end();
        }
        future.whenComplete((value, thrown) -> stepped(value, thrown, next));
    }

    /** Accepts the end of a step. Throws nothing: the edit would never end. */
    private <T> void stepped(T value, @Nullable Throwable thrown, Next<T> next) {
        changed();
        try {
            if (thrown == null) {
                next.with(value);
            } else {
                owner.stepFailed(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            owner.fail(e);
        }
    }

    private synchronized void changed() {
        changing = false;
    }

    private void end() {
        CompletableFuture<?> current;
        synchronized (this) {
            current = step;
        }
        if (current != null) {
            current.cancel(true);
        }
    }
}
