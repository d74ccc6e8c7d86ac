package dev.shardkit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asynchronous calls of two steps. */
public final class Steps {
    private Steps() {}

    /**
     * Starts {@code second} when {@code first} has a value. Completing the returned future from outside, for example by
     * cancelling it, cancels the step that is under way. What depends on it runs where the last step completes.
     */
    public static <A, B> CompletableFuture<B> inOrder(
            CompletableFuture<A> first, Function<? super A, CompletableFuture<B>> second) {
        CompletableFuture<B> both = new CompletableFuture<>();
        both.whenComplete((value, thrown) -> first.cancel(true));
        first.whenComplete((value, thrown) -> {
            if (thrown != null) {
                both.completeExceptionally(Failures.unwrap(thrown));
                return;
            }
            try {
                follow(second.apply(value), both);
            } catch (Throwable e) {
                both.completeExceptionally(e);
            }
        });
        return both;
    }

    private static <B> void follow(CompletableFuture<B> last, CompletableFuture<B> both) {
        both.whenComplete((value, thrown) -> last.cancel(true)); // at once, if both was cancelled meanwhile
        last.whenComplete((value, thrown) -> {
            if (thrown == null) {
                both.complete(value);
            } else {
                both.completeExceptionally(Failures.unwrap(thrown));
            }
        });
    }
}
