package dev.shardkit.engine;

import dev.shardkit.memory.Completions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Combines two asynchronous calls. */
public final class Steps {
    private Steps() {}

    /**
     * Starts {@code second} when {@code first} has a value. Completing the returned future, for example by cancelling
     * it, cancels the current step. Dependents run on the thread that completes the last step.
     */
    public static <A, B> CompletableFuture<B> inOrder(
            CompletableFuture<A> first, Function<? super A, CompletableFuture<B>> second) {
        StoppingFuture<B> both = new StoppingFuture<>();
        both.stopsBy(() -> first.cancel(true));
        both.whenComplete((value, thrown) -> first.cancel(true));
        first.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Completions.fail(both, Failures.unwrap(thrown));
                return;
            }
            try {
                follow(second.apply(value), both);
            } catch (Throwable e) {
                Completions.fail(both, e);
            }
        });
        return both;
    }

    private static <B> void follow(CompletableFuture<B> last, StoppingFuture<B> both) {
        both.stopsBy(() -> last.cancel(true));
        both.whenComplete(
                (value, thrown) -> last.cancel(true)); // at once, if the combined future was cancelled in the meantime
        last.whenComplete((value, thrown) -> {
            if (thrown == null) {
                Completions.complete(both, value);
            } else {
                Completions.fail(both, Failures.unwrap(thrown));
            }
        });
    }
}
