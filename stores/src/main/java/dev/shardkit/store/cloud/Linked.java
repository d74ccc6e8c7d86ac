package dev.shardkit.store.cloud;

import dev.shardkit.store.Outcome;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;

/** Futures whose cancellation reaches the request that they wait for. */
public final class Linked {
    private Linked() {}

    /** Returns the result that follows from a request. */
    public static <T, R> CompletableFuture<R> map(CompletableFuture<T> request, Function<T, R> map) {
        return link(request, request.thenApply(map));
    }

    /** Returns the result of a second request that follows a first one. */
    public static <T, R> CompletableFuture<R> compose(
            CompletableFuture<T> request, Function<T, CompletableFuture<R>> following) {
        CompletableFuture<R> result = new CompletableFuture<>();
        request.whenComplete((value, thrown) -> {
            if (thrown != null) {
                result.completeExceptionally(cause(thrown));
                return;
            }
            try {
                CompletableFuture<R> next = following.apply(value);
                result.whenComplete((v, t) -> next.cancel(true));
                next.whenComplete((v, t) -> {
                    if (t == null) {
                        result.complete(v);
                    } else {
                        result.completeExceptionally(cause(t));
                    }
                });
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return link(request, result);
    }

    /** Returns the results of several requests, in order. The first failure cancels the others. */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> requests) {
        CompletableFuture<List<T>> result = new CompletableFuture<>();
        CompletableFuture.allOf(requests.toArray(new CompletableFuture<?>[0])).whenComplete((none, thrown) -> {
            if (thrown == null) {
                result.complete(requests.stream().map(CompletableFuture::join).toList());
            }
        });
        requests.forEach(request -> request.whenComplete((value, thrown) -> {
            if (thrown != null) {
                result.completeExceptionally(cause(thrown));
            }
        }));
        result.whenComplete((value, thrown) -> {
            if (thrown != null) {
                requests.forEach(request -> request.cancel(true));
            }
        });
        return result;
    }

    /** Returns the outcome; {@link Outcome.Unknown} for failures after which a change may have been made. */
    public static CompletableFuture<Outcome> recover(CompletableFuture<Outcome> change, Predicate<Throwable> unknown) {
        CompletableFuture<Outcome> result = new CompletableFuture<>();
        change.whenComplete((value, thrown) -> {
            if (thrown == null) {
                result.complete(value);
            } else if (unknown.test(cause(thrown))) {
                result.complete(new Outcome.Unknown(cause(thrown)));
            } else {
                result.completeExceptionally(cause(thrown));
            }
        });
        return link(change, result);
    }

    private static <R> CompletableFuture<R> link(CompletableFuture<?> request, CompletableFuture<R> result) {
        result.whenComplete((value, thrown) -> {
            if (thrown instanceof CancellationException) {
                request.cancel(true);
            }
        });
        return result;
    }

    /** Returns the failure itself. */
    public static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }
}
