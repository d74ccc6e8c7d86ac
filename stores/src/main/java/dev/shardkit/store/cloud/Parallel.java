package dev.shardkit.store.cloud;

import dev.shardkit.memory.Completions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * Runs many requests, a few at once.
 *
 * @param <T> the result of a request
 */
public final class Parallel<T> {
    private final int count;
    private final IntFunction<CompletableFuture<T>> request;
    private final AtomicReferenceArray<T> results;
    private final CompletableFuture<List<T>> all = new CompletableFuture<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left;

    private Parallel(int count, IntFunction<CompletableFuture<T>> request) {
        this.count = count;
        this.request = request;
        this.results = new AtomicReferenceArray<>(count);
        this.left = new AtomicInteger(count);
    }

    /**
     * Runs requests 0 to {@code count} - 1. The first failure cancels the others. Cancelling the result does, too.
     *
     * @param atOnce the maximum number of requests at once
     * @return the results, in order
     */
    public static <T> CompletableFuture<List<T>> run(int count, int atOnce, IntFunction<CompletableFuture<T>> request) {
        Parallel<T> run = new Parallel<>(count, request);
        if (count == 0) {
            run.all.complete(List.of());
        }
        for (int i = 0; i < Math.min(atOnce, count); i++) {
            run.sendNext();
        }
        return run.all;
    }

    private void sendNext() {
        int index = next.getAndIncrement();
        if (index >= count || all.isDone()) {
            return;
        }
        try {
            CompletableFuture<T> sent = request.apply(index);
            all.whenComplete((value, thrown) -> sent.cancel(true));
            sent.whenComplete((value, thrown) -> {
                if (thrown != null) {
                    Completions.fail(all, Linked.cause(thrown));
                    return;
                }
                results.set(index, value);
                try {
                    if (left.decrementAndGet() == 0) {
                        Completions.complete(all, list());
                    } else {
                        sendNext();
                    }
                } catch (RuntimeException | Error e) {
                    Completions.fail(all, e); // memory ran out
                }
            });
        } catch (RuntimeException | Error e) {
            Completions.fail(all, e); // the request before this one would swallow it, and the run would not end
        }
    }

    private List<T> list() {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(results.get(i));
        }
        return list;
    }
}
