package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running requests of a store, which concurrent reads of the same range share. A request ends early when all its
 * readers have cancelled. Thread-safe.
 */
final class SharedFetches {
    /** Identifies a request. Reads of the same range and version of an object share one. */
    private record RequestKey(String key, ByteRange range, Optional<String> pin) {}

    /** A running request and the number of its readers. */
    private final class Shared {
        private final RequestKey requestKey;
        private final CompletableFuture<FetchResult> response = new CompletableFuture<>();
        private @Nullable CompletableFuture<FetchResult> request;
        private int readers;
        private boolean abandoned;

        private Shared(RequestKey request) {
            this.requestKey = request;
        }

        /** Adds a reader. Returns false if all readers have left and the request is being cancelled. */
        synchronized boolean join() {
            readers += abandoned ? 0 : 1;
            return !abandoned;
        }

        /** Removes a reader. Cancels the request if it was the last one. */
        void leave() {
            CompletableFuture<FetchResult> ending;
            synchronized (this) {
                readers--;
                abandoned = readers == 0;
                ending = abandoned ? request : null;
            }
            if (ending != null) {
                running.remove(requestKey, this);
                ending.cancel(true);
            }
        }

        /** Sends the request. */
        void start(Supplier<CompletableFuture<FetchResult>> send) {
            CompletableFuture<FetchResult> sent = send.get();
            boolean tooLate;
            synchronized (this) {
                request = sent;
                tooLate = abandoned;
            }
            sent.whenComplete((found, thrown) -> {
                running.remove(requestKey, this);
                if (thrown == null) {
                    response.complete(found);
                } else {
                    response.completeExceptionally(thrown);
                }
            });
            // All readers have left while the request was being sent.
            if (tooLate) {
                running.remove(requestKey, this);
                sent.cancel(true);
            }
        }
    }

    private final Map<RequestKey, Shared> running = new ConcurrentHashMap<>();

    /**
     * Returns the response to a running request, or sends one. Cancelling the future does not affect other readers.
     *
     * @param send sends the request; never throws
     */
    CompletableFuture<FetchResult> fetch(
            String key, ByteRange range, Optional<String> pin, Supplier<CompletableFuture<FetchResult>> send) {
        RequestKey request = new RequestKey(key, range, pin);
        while (true) {
            Shared created = new Shared(request);
            Shared shared =
                    Optional.ofNullable(running.putIfAbsent(request, created)).orElse(created);
            if (!shared.join()) {
                running.remove(request, shared);
                continue;
            }
            boolean leads = shared == created; // this reader sends the request
            CompletableFuture<FetchResult> callersFuture = new CompletableFuture<>();
            shared.response.whenComplete((found, thrown) -> {
                if (thrown == null) {
                    callersFuture.complete(leads ? found : received(found));
                } else {
                    callersFuture.completeExceptionally(thrown);
                }
            });
            callersFuture.whenComplete((found, thrown) -> {
                if (callersFuture.isCancelled()) {
                    shared.leave();
                }
            });
            if (leads) {
                shared.start(send);
            }
            return callersFuture;
        }
    }

    /**
     * Returns the response for a reader that did not send the request. Leaves out the whole object, because only the
     * reader that sent the request has reserved memory for it. Its number of received bytes is 0, so that listeners
     * count them once.
     */
    private static FetchResult received(FetchResult fetched) {
        return fetched instanceof FetchResult.Found f
                ? new FetchResult.Found(f.bytes(), f.objectSize(), f.version(), 0, Optional.empty())
                : fetched;
    }
}
