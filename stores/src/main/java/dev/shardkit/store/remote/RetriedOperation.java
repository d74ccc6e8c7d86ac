package dev.shardkit.store.remote;

import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.HeaderFields;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends and retries any single request other than the read of a range: a put, a delete, a page of a listing. The
 * server's response must be small.
 *
 * @param <T> the result
 */
public final class RetriedOperation<T> extends RetriedRequest<T> {
    /** Makes the request for each attempt, and interprets the responses. */
    public interface Definition<T> {
        /** Returns the operation, for messages. */
        String operation();

        /** Creates the request. Called for each attempt. */
        ServerProtocol.Prepared prepare();

        /** Returns the maximum number of bytes of a response. */
        default int maxBytes() {
            return 1 << 20;
        }

        /** Returns whether the request may be sent again after its response was lost. If not, it fails. */
        default boolean isSentAgain() {
            return true;
        }

        /**
         * Returns the meaning of a response.
         *
         * @param answerLost whether the response to an earlier attempt was lost, so the server may already have acted
         */
        Decision<T> decide(ResponseOutcome.Response response, boolean answerLost);
    }

    /** The meaning of a response. */
    public sealed interface Decision<T> {
        /** The request is done. */
        record Done<T>(T value) implements Decision<T> {}

        /**
         * The request can be sent again.
         *
         * @param acted whether the server may have acted on it
         */
        record Retry<T>(String reason, boolean acted, Optional<Duration> minimumPause) implements Decision<T> {}

        /** A permanent failure; the server has not acted. */
        record Failed<T>(RuntimeException failure) implements Decision<T> {}
    }

    private final Definition<T> definition;
    private volatile boolean answerLost;

    /** Creates a request, which {@link #start} sends. */
    public RetriedOperation(RequestContext context, Definition<T> definition) {
        super(context);
        this.definition = definition;
    }

    /** Sends the request, or queues it. */
    public CompletableFuture<T> start() {
        return begin(this::send);
    }

    /** Returns whether the response to an attempt was lost, so the server may have acted. */
    public boolean answerLost() {
        return answerLost;
    }

    /** Returns how long the server asks to wait before the next attempt. */
    public static Optional<Duration> retryAfter(ResponseOutcome.Response response) {
        return HeaderFields.retryAfter(response.headers());
    }

    @Override
    String operation() {
        return definition.operation();
    }

    @Override
    ServerProtocol.Prepared prepare() {
        return definition.prepare();
    }

    @Override
    BodyCollector collect(Head head) {
        return BodyCollector.text(
                definition.maxBytes(),
                (bytes, total) -> new ResponseOutcome.Response(head.status(), head.headers(), bytes));
    }

    @Override
    void answered(ResponseOutcome outcome) {
        if (!(outcome instanceof ResponseOutcome.Response response)) {
            throw new IllegalStateException("not the answer to a request: " + outcome); // collect() makes no other
        }
        Decision<T> decision = definition.decide(response, answerLost);
        if (decision instanceof Decision.Done<T> done) {
            result().complete(done.value());
        } else if (decision instanceof Decision.Failed<T> failed) {
            fail(failed.failure());
        } else if (decision instanceof Decision.Retry<T> retry) {
            if (retry.acted()) {
                unanswered();
            }
            retry(retry.reason(), retry.minimumPause().orElse(null), null);
        }
    }

    @Override
    void unanswered() {
        answerLost = true;
    }

    @Override
    boolean isSentAgain() {
        return !answerLost || definition.isSentAgain();
    }

    @Override
    void received(long bytes) {}

    @Override
    void retrying(int failures, String reason) {}
}
