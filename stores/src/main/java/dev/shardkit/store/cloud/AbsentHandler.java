package dev.shardkit.store.cloud;

import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import java.util.Optional;

/**
 * Handles the response to a request for an object that may be absent. {@code present} interprets a success;
 * {@code absent} is the result if there is no object.
 *
 * @param present interprets a success
 * @param absent the result for an absent object
 */
public record AbsentHandler<T>(CloudRequest.ResponseHandler<T> present, T absent)
        implements CloudRequest.ResponseHandler<T> {
    @Override
    public Optional<T> success(Response response) {
        return present.success(response);
    }

    @Override
    public Optional<T> refusal(ErrorResponse refusal, boolean answerLost) {
        return refusal.kind() == ErrorResponse.Kind.ABSENT ? Optional.of(absent) : Optional.empty();
    }
}
