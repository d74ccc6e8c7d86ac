package dev.shardkit.store.cloud;

import dev.shardkit.outofmemory.Completions;
import dev.shardkit.store.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Combines futures of requests. Cancelling a derived future cancels the request that it waits for; the JDK's own
 * methods do not cancel it. A derived future also ends if memory runs out. A future that the JDK derives stays
 * incomplete if there is no memory for its exception.
 */
public final class CancellableFutures {
    private CancellableFutures() {}

    /** Returns the future of {@code map}, applied to the result of a request. */
    public static <T, R> CompletableFuture<R> map(CompletableFuture<T> request, Function<T, R> map) {
        CompletableFuture<R> result = new CompletableFuture<>();
        request.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Completions.fail(result, cause(thrown));
                return;
            }
            try {
                Completions.complete(result, map.apply(value));
            } catch (RuntimeException | Error e) {
                Completions.fail(result, e);
            }
        });
        return link(request, result);
    }

    /** Returns the future of a second request, which is made from the result of the first one. */
    public static <T, R> CompletableFuture<R> compose(
            CompletableFuture<T> request, Function<T, CompletableFuture<R>> following) {
        CompletableFuture<R> result = new CompletableFuture<>();
        request.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Completions.fail(result, cause(thrown));
                return;
            }
            try {
                CompletableFuture<R> next = following.apply(value);
                result.whenComplete((ignored, alsoIgnored) -> next.cancel(true));
                next.whenComplete((nextValue, nextThrown) -> {
                    if (nextThrown == null) {
                        Completions.complete(result, nextValue);
                    } else {
                        Completions.fail(result, cause(nextThrown));
                    }
                });
            } catch (RuntimeException | Error e) {
                Completions.fail(result, e);
            }
        });
        return link(request, result);
    }

    /** Returns the future of the results of several requests, in order. The first failure cancels the others. */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> requests) {
        CompletableFuture<List<T>> result = new CompletableFuture<>();
        CompletableFuture.allOf(requests.toArray(new CompletableFuture<?>[0])).whenComplete((unused, thrown) -> {
            if (thrown != null) {
                return; // the first request that failed has failed the result, below
            }
            try {
                Completions.complete(
                        result, requests.stream().map(CompletableFuture::join).toList());
            } catch (RuntimeException | Error e) {
                Completions.fail(result, e);
            }
        });
        requests.forEach(request -> request.whenComplete((value, thrown) -> {
            if (thrown != null) {
                Completions.fail(result, cause(thrown));
            }
        }));
        result.whenComplete((value, thrown) -> {
            if (thrown != null) {
                requests.forEach(request -> request.cancel(true));
            }
        });
        return result;
    }

    /**
     * Returns the future of a change's outcome. Unless the change was made, {@code cleanup} runs before the future
     * completes; a failure of {@code cleanup} does not alter the outcome.
     */
    public static CompletableFuture<WriteResult> unlessDone(
            CompletableFuture<WriteResult> change, Supplier<CompletableFuture<?>> cleanup) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        change.whenComplete((value, thrown) -> {
            if (value instanceof WriteResult.Done) {
                Completions.complete(result, value);
                return;
            }
            try {
                cleanup.get().whenComplete((ignored, failed) -> {
                    if (thrown == null) {
                        Completions.complete(result, value);
                    } else {
                        Completions.fail(result, cause(thrown));
                    }
                });
            } catch (RuntimeException | Error e) {
                Completions.fail(result, thrown == null ? e : cause(thrown));
            }
        });
        return link(change, result);
    }

    /**
     * Returns the future of a change's outcome, with {@link WriteResult.Unknown} in place of some failures.
     *
     * @param unknown whether the change may have been made in spite of a failure
     */
    public static CompletableFuture<WriteResult> recover(
            CompletableFuture<WriteResult> change, Predicate<Throwable> unknown) {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        change.whenComplete((value, thrown) -> {
            if (thrown == null) {
                Completions.complete(result, value);
            } else if (unknown.test(cause(thrown))) {
                Completions.complete(result, new WriteResult.Unknown(cause(thrown)));
            } else {
                Completions.fail(result, cause(thrown));
            }
        });
        return link(change, result);
    }

    /** Returns the future of the result or of a failure's replacement. A failure without replacement remains. */
    public static <T> CompletableFuture<T> replace(
            CompletableFuture<T> request, Function<Throwable, Optional<T>> replacement) {
        CompletableFuture<T> result = new CompletableFuture<>();
        request.whenComplete((value, thrown) -> {
            if (thrown == null) {
                Completions.complete(result, value);
                return;
            }
            try {
                Optional<T> replaced = replacement.apply(cause(thrown));
                if (replaced.isPresent()) {
                    Completions.complete(result, replaced.get());
                } else {
                    Completions.fail(result, cause(thrown));
                }
            } catch (RuntimeException | Error e) {
                Completions.fail(result, e);
            }
        });
        return link(request, result);
    }

    /** Cancels {@code request} when {@code result} is cancelled. */
    private static <R> CompletableFuture<R> link(CompletableFuture<?> request, CompletableFuture<R> result) {
        result.whenComplete((value, thrown) -> {
            if (thrown instanceof CancellationException) {
                request.cancel(true);
            }
        });
        return result;
    }

    /** Returns the failure without the {@link CompletionException} that may wrap it. */
    public static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    }
}
