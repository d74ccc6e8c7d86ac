package dev.shardkit.store.cloud;

import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Defines a request other than a read of a range: makes it for each attempt and interprets the responses.
 *
 * @param service the cloud
 * @param operation the operation, for messages
 * @param request makes the request, without credentials. Called for each attempt, because a response may name another
 *     server
 * @param maxBytes the maximum number of bytes of a response
 * @param handler turns responses into results
 */
public record CloudRequest<T>(
        CloudService service, String operation, Supplier<Request> request, int maxBytes, ResponseHandler<T> handler)
        implements RetriedOperation.Definition<T> {
    /** The usual {@code maxBytes}, for responses that are short documents. */
    public static final int SMALL = 64 << 10;

    /** Turns responses into results. */
    public interface ResponseHandler<T> {
        /** Returns whether a response with this status code is a success. */
        default boolean isSuccess(int status) {
            return status / 100 == 2;
        }

        /** Returns whether the request may be sent again after its response was lost. */
        default boolean isSentAgain() {
            return true;
        }

        /** Returns the result of a success; empty if the response is damaged, so the request is sent again. */
        Optional<T> success(ResponseOutcome.Response response);

        /**
         * Returns the result of a refusal, such as absence; empty if it is a failure.
         *
         * @param answerLost whether the response to an earlier attempt was lost, so the server may have acted on it
         */
        default Optional<T> refusal(ErrorResponse refusal, boolean answerLost) {
            return Optional.empty();
        }
    }

    @Override
    public ServerProtocol.Prepared prepare() {
        return service.signed(request.get());
    }

    @Override
    public boolean isSentAgain() {
        return handler.isSentAgain();
    }

    @Override
    public RetriedOperation.Decision<T> decide(ResponseOutcome.Response response, boolean answerLost) {
        if (handler.isSuccess(response.status())) {
            Optional<ErrorResponse> lateRefusal = service.lateRefusal(response);
            if (lateRefusal.isPresent()) {
                return new RetriedOperation.Decision.Retry<>(lateRefusal.get().describe(), true, Optional.empty());
            }
            return handler.success(response)
                    .<RetriedOperation.Decision<T>>map(RetriedOperation.Decision.Done::new)
                    .orElseGet(() ->
                            new RetriedOperation.Decision.Retry<>("an answer that is damaged", true, Optional.empty()));
        }
        // The second argument of Retry: whether the server may have acted on the request.
        ErrorResponse refusal = service.refusal(response);
        return switch (refusal.kind()) {
            case ELSEWHERE ->
                new RetriedOperation.Decision.Retry<>(refusal.message(), false, Optional.of(Duration.ZERO));
            case BUSY ->
                new RetriedOperation.Decision.Retry<>(refusal.describe(), false, RetriedOperation.retryAfter(response));
            case PASSING ->
                new RetriedOperation.Decision.Retry<>(refusal.describe(), true, RetriedOperation.retryAfter(response));
            default ->
                handler.refusal(refusal, answerLost)
                        .<RetriedOperation.Decision<T>>map(RetriedOperation.Decision.Done::new)
                        .orElseGet(() -> new RetriedOperation.Decision.Failed<>(refusal.failure(operation)));
        };
    }
}
