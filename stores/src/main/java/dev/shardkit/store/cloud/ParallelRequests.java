package dev.shardkit.store.cloud;

import dev.shardkit.outofmemory.Completions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * Runs many requests, but only a limited number of them at once.
 *
 * @param <T> the result of a request
 */
public final class ParallelRequests<T> {
    private final int count;
    private final IntFunction<CompletableFuture<T>> request;
    private final AtomicReferenceArray<T> results;
    private final CompletableFuture<List<T>> all = new CompletableFuture<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** The number of running sequences, each of which sends one request after the other. */
    private final AtomicInteger lanes;

    private ParallelRequests(int count, int lanes, IntFunction<CompletableFuture<T>> request) {
        this.count = count;
        this.request = request;
        this.results = new AtomicReferenceArray<>(count);
        this.lanes = new AtomicInteger(lanes);
    }

    /**
     * Runs requests 0 to {@code count} - 1. After the first failure, no further request is sent. The result fails when
     * the requests under way have ended, because the server may still act on them. Cancelling the result cancels them.
     *
     * @param atOnce the maximum number of requests at once
     * @return the results, in order
     */
    public static <T> CompletableFuture<List<T>> run(int count, int atOnce, IntFunction<CompletableFuture<T>> request) {
        int lanes = Math.min(atOnce, count);
        ParallelRequests<T> run = new ParallelRequests<>(count, lanes, request);
        if (count == 0) {
            run.all.complete(List.of());
        }
        for (int i = 0; i < lanes; i++) {
            run.sendNext();
        }
        return run.all;
    }

    /**
     * Sends the next request of a sequence, or ends the sequence. Throws nothing: the future of the previous request,
     * which calls this method, would swallow an exception, and the run would not end.
     */
    private void sendNext() {
        try {
            int index = failure.get() == null && !all.isDone() ? next.getAndIncrement() : count;
            if (index >= count) {
                end();
                return;
            }
            CompletableFuture<T> sent = request.apply(index);
            all.whenComplete((value, thrown) -> sent.cancel(true));
            sent.whenComplete((value, thrown) -> {
                if (thrown == null) {
                    results.set(index, value);
                } else {
                    failure.compareAndSet(null, CancellableFutures.cause(thrown));
                }
                sendNext();
            });
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            end();
        }
    }

    /** Ends one of the concurrent sequences of requests. The last one completes the future. */
    private void end() {
        if (lanes.decrementAndGet() > 0) {
            return;
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            Completions.fail(all, thrown);
            return;
        }
        try {
            Completions.complete(all, list());
        } catch (RuntimeException | Error e) {
            Completions.fail(all, e); // memory ran out
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
