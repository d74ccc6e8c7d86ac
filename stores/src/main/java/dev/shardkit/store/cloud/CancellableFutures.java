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
 * Futures whose cancellation reaches the request that they wait for. They end even if memory runs out: a future that
 * the JDK derives stays incomplete if it cannot allocate its exception.
 */
public final class CancellableFutures {
    private CancellableFutures() {}

    /** Returns the result of a function on the result of a request. */
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

    /** Returns the result of a second request that follows a first one. */
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
                result.whenComplete((v, t) -> next.cancel(true));
                next.whenComplete((v, t) -> {
                    if (t == null) {
                        Completions.complete(result, v);
                    } else {
                        Completions.fail(result, cause(t));
                    }
                });
            } catch (RuntimeException | Error e) {
                Completions.fail(result, e);
            }
        });
        return link(request, result);
    }

    /** Returns the results of several requests, in order. The first failure cancels the others. */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> requests) {
        CompletableFuture<List<T>> result = new CompletableFuture<>();
        CompletableFuture.allOf(requests.toArray(new CompletableFuture<?>[0])).whenComplete((unused, thrown) -> {
            if (thrown != null) {
                return;
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

    /** Returns the outcome of a change. If the change was not made, first runs a last request, which cleans up. */
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

    /** Returns the outcome; {@link WriteResult.Unknown} for failures after which a change may have been made. */
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

    /** Returns the result, or the replacement of a failure; failures without a replacement remain. */
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
