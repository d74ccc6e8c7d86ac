package dev.shardkit.store.azure;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.azure.RangeCopySupport.Answer;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.ErrorResponse;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Request;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Has the server copy a range of a stored blob into a block (Put Block From URL).
 *
 * @param context the state of the store's requests
 * @param origin the container
 */
record BlockRangeCopy(RequestContext context, AzureOrigin origin) {
    private static final Set<String> CHANGED = Set.of("SourceConditionNotMet", "ConditionNotMet");

    /**
     * Copies a range of a stored blob, if the blob still has the version that {@code range} names.
     *
     * @param name the operation, for messages
     * @param request makes the request
     */
    CompletableFuture<Answer> copy(Stored range, String name, Supplier<Request> request) {
        CloudRequest.ResponseHandler<Answer> handler = new CloudRequest.ResponseHandler<>() {
            @Override
            public Optional<Answer> success(Response response) {
                return Optional.of(Answer.COPIED);
            }

            @Override
            public Optional<Answer> refusal(ErrorResponse refusal, boolean answerLost) {
                if (refusal.status() == 412 && CHANGED.contains(refusal.code())) {
                    throw new ObjectChangedException(name + ": expected version " + range.version() + " of "
                            + range.key() + ", found another one");
                }
                return Optional.of(answer(name, refusal));
            }
        };
        RetriedOperation<Answer> operation =
                new RetriedOperation<>(context, new CloudRequest<>(origin, name, request, CloudRequest.SMALL, handler));
        return CancellableFutures.replace(operation.start(), this::afterRetries);
    }

    /**
     * Returns the answer for a copy whose request failed after all retries. The caller then sends the bytes itself, as
     * after a refusal. Returns empty if the failure must reach the caller.
     */
    private Optional<Answer> afterRetries(Throwable failure) {
        if (!(failure instanceof StoreException) || failure instanceof ObjectChangedException) {
            return Optional.empty();
        }
        origin.log().log(System.Logger.Level.DEBUG, "{0}; the bytes are read and sent", failure.getMessage());
        return Optional.of(Answer.UNSUPPORTED);
    }

    /**
     * Returns the answer for a refused copy. A refusal is not a failure, because the store then reads and sends the
     * bytes. If the blob is gone or too short, or the account denies access, those requests fail.
     */
    private Answer answer(String operation, ErrorResponse refusal) {
        int status = refusal.status();
        Answer answer = status == 404 || status == 412 || status == 416 ? Answer.REFUSED : Answer.UNSUPPORTED;
        origin.log().log(
                System.Logger.Level.DEBUG,
                "{0}: HTTP {1} {2}; the bytes are read and sent",
                operation,
                Integer.toString(status),
                refusal.code());
        return answer;
    }
}
