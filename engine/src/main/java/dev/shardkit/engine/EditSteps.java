package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import dev.shardkit.spi.plan.Unit;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous steps of one edit, which follow one another: each runs on the thread that completes the previous
 * one. The edit ends with its last step, or with a failure. A cancelled edit ends with its current step: a read of
 * elements stops soon, and a change that was sent is awaited, because it would otherwise overwrite the change of a
 * later writer.
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
    /** Whether the step changes the object; guarded by this object. */
    private boolean changing;
    /** Whether no further step may begin; guarded by this object. */
    private boolean cancelled;

    EditSteps(Owner owner) {
        this.owner = owner;
    }

    /** Calls {@code ended} at the end, with the failure or null; to be registered before the first step. */
    void whenEnded(Consumer<@Nullable Throwable> ended) {
        done.whenComplete((value, thrown) -> ended.accept(thrown));
    }

    /** Ends the edit with its current step. */
    void cancel() {
        CompletableFuture<?> current;
        synchronized (this) {
            cancelled = true;
            current = changing ? null : step;
        }
        if (current != null) {
            CallFuture.stop(current, cancellation());
        }
    }

    private static CancellationException cancellation() {
        return new CancellationException("cancelled");
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Ends a cancelled edit between two steps; returns whether it was cancelled. */
    boolean endIfCancelled() {
        if (!isCancelled()) {
            return false;
        }
        fail(cancellation());
        return true;
    }

    /** Ends the edit successfully. */
    void complete() {
        Completions.complete(done, Unit.UNIT);
    }

    /** Ends the edit with a failure. */
    void fail(Throwable thrown) {
        Completions.fail(done, thrown);
    }

    /** Makes a change and continues with its outcome; it is awaited once begun. */
    <T> void change(Supplier<CompletableFuture<T>> call, Next<T> next) {
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
        boolean goesOn;
        synchronized (this) {
            goesOn = changing || !cancelled;
        }
        if (goesOn) {
            follow(call.get(), next);
        } else {
            endIfCancelled();
        }
    }

    private <T> void follow(CompletableFuture<T> future, Next<T> next) {
        boolean late;
        synchronized (this) {
            step = future;
            late = cancelled && !changing;
        }
        if (late) {
            CallFuture.stop(future, cancellation());
        }
        future.whenComplete((value, thrown) -> stepped(value, thrown, next));
    }

    /** Accepts the end of a step. Throws nothing: the edit would never end. */
    private <T> void stepped(T value, @Nullable Throwable thrown, Next<T> next) {
        boolean made = changed();
        try {
            if (!made && endIfCancelled()) {
                return;
            }
            if (thrown == null) {
                next.with(value);
            } else {
                owner.stepFailed(Failures.unwrap(thrown));
            }
        } catch (Throwable e) {
            owner.fail(e);
        }
    }

    /** Records the end of a step; returns whether it changed the object. */
    private synchronized boolean changed() {
        boolean was = changing;
        changing = false;
        return was;
    }
}
