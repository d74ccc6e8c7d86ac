package dev.shardkit.engine.threads;

import dev.shardkit.engine.error.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One future for several asynchronous calls, each of which begins when the previous one has ended. The future completes
 * with the value of the last call. Stopping the future stops the current call, and a thread that waits for the future
 * helps the current call.
 */
public final class CallSequence<T> extends CallFuture<T> {
    /** The call that is under way; null until one is set. */
    private @Nullable CompletableFuture<?> current;
    /** Why the sequence was stopped; null if it was not. */
    private @Nullable Throwable reason;

    CallSequence() {}

    /**
     * Starts {@code second} when {@code first} has a value. Stopping the returned future stops the current step.
     * Dependents run on the thread that completes the last step.
     */
    public static <A, B> CompletableFuture<B> inOrder(
            CompletableFuture<A> first, Function<? super A, CompletableFuture<B>> second) {
        CallSequence<B> sequence = new CallSequence<>();
        sequence.setCurrent(first);
        first.whenComplete((value, thrown) -> startSecond(sequence, second, value, thrown));
        return sequence;
    }

    /** Starts the second call, or ends the sequence if the first one failed or the sequence was stopped. */
    private static <A, B> void startSecond(
            CallSequence<B> sequence,
            Function<? super A, CompletableFuture<B>> second,
            @Nullable A value,
            @Nullable Throwable thrown) {
        if (thrown != null || sequence.isStopped()) {
            sequence.end(null, thrown == null ? null : Failures.unwrap(thrown));
            return;
        }
        try {
            CompletableFuture<B> secondCall = second.apply(value);
            sequence.setCurrent(secondCall);
            secondCall.whenComplete(
                    (result, failure) -> sequence.end(result, failure == null ? null : Failures.unwrap(failure)));
        } catch (Throwable e) {
            sequence.end(null, e);
        }
    }

    /**
     * Sets the first call, and stops it if this sequence was stopped. A no-op if a call is set already: the first call
     * may run on another thread and set the second one before this method is called.
     */
    void setFirst(CompletableFuture<?> call) {
        set(call, true);
    }

    /** Sets the call that is under way, and stops it if this sequence was stopped. */
    void setCurrent(CompletableFuture<?> call) {
        set(call, false);
    }

    private void set(CompletableFuture<?> call, boolean isFirst) {
        Throwable stopped;
        synchronized (this) {
            if (isFirst && current != null) {
                return;
            }
            current = call;
            stopped = reason;
            notifyAll(); // wakes awaitNext
        }
        if (stopped != null) {
            stop(call, stopped);
        }
    }

    @Override
    protected void stopWork(Throwable stopReason) {
        CompletableFuture<?> call;
        synchronized (this) {
            reason = stopReason;
            call = current;
        }
        if (call != null) {
            stop(call, stopReason);
        }
    }

    @Override
    public void help() {
        try {
            CompletableFuture<?> helped = null;
            for (CompletableFuture<?> call = awaitNext(helped); call != null; call = awaitNext(helped)) {
                if (call instanceof CallFuture<?> future) {
                    future.help();
                }
                helped = call;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until another call than {@code previous} is under way, and returns it without waiting for its end. Returns
     * null when the sequence has ended.
     */
    private synchronized @Nullable CompletableFuture<?> awaitNext(@Nullable CompletableFuture<?> previous)
            throws InterruptedException {
        while (!hasEnded() && current == previous) {
            wait(); // until another call is set, or end() of the superclass notifies
        }
        return hasEnded() ? null : current;
    }
}
