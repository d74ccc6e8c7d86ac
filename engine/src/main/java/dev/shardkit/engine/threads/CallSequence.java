package dev.shardkit.engine.threads;

import dev.shardkit.engine.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future of several asynchronous calls, each of which begins when the previous one has ended. Stopping it stops the
 * current call, and waiting helps that call.
 */
public final class CallSequence<T> extends CallFuture<T> {
    private @Nullable CompletableFuture<?> current;
    private @Nullable Throwable reason;

    CallSequence() {}

    /**
     * Starts {@code second} when {@code first} has a value. Stopping the returned future stops the current step.
     * Dependents run on the thread that completes the last step.
     */
    public static <A, B> CompletableFuture<B> inOrder(
            CompletableFuture<A> first, Function<? super A, CompletableFuture<B>> second) {
        CallSequence<B> both = new CallSequence<>();
        both.next(first);
        first.whenComplete((value, thrown) -> followed(both, second, value, thrown));
        return both;
    }

    private static <A, B> void followed(
            CallSequence<B> both,
            Function<? super A, CompletableFuture<B>> second,
            @Nullable A value,
            @Nullable Throwable thrown) {
        if (thrown != null || both.isStopped()) {
            both.end(null, thrown == null ? null : Failures.unwrap(thrown));
            return;
        }
        try {
            CompletableFuture<B> last = second.apply(value);
            both.next(last);
            last.whenComplete((end, failure) -> both.end(end, failure == null ? null : Failures.unwrap(failure)));
        } catch (Throwable e) {
            both.end(null, e);
        }
    }

    /** Sets the first call, unless a later one is under way. */
    void first(CompletableFuture<?> call) {
        synchronized (this) {
            if (current != null) {
                return;
            }
        }
        next(call);
    }

    /** Sets the call that is under way; stops it if this sequence was stopped. */
    void next(CompletableFuture<?> call) {
        Throwable stopped;
        synchronized (this) {
            current = call;
            stopped = reason;
            notifyAll();
        }
        if (stopped != null) {
            stop(call, stopped);
        }
    }

    @Override
    protected void stopWork(Throwable why) {
        CompletableFuture<?> call;
        synchronized (this) {
            reason = why;
            call = current;
        }
        if (call != null) {
            stop(call, why);
        }
    }

    @Override
    public void help() {
        try {
            CompletableFuture<?> helped = null;
            for (CompletableFuture<?> call = after(helped); call != null; call = after(helped)) {
                if (call instanceof CallFuture<?> own) {
                    own.help();
                }
                helped = call;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the call after {@code last}, and waits for it; null after the end. */
    private synchronized @Nullable CompletableFuture<?> after(@Nullable CompletableFuture<?> last)
            throws InterruptedException {
        while (!hasEnded() && current == last) {
            wait();
        }
        return hasEnded() ? null : current;
    }
}
