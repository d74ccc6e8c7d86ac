package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Combines two asynchronous calls. */
public final class Steps {
    private Steps() {}

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
}
