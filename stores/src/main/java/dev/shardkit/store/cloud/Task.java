package dev.shardkit.store.cloud;

import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Origin;
import dev.shardkit.store.remote.Outcome;
import dev.shardkit.transport.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request other than a read, and the meaning of its responses.
 *
 * @param service the cloud
 * @param what the operation, for messages
 * @param request makes the request, without credentials; called for each attempt, because the server may change
 * @param mostBytes the maximum number of bytes of an answer
 * @param meaning the meaning of answers
 */
public record Task<T>(Service service, String what, Supplier<Request> request, int mostBytes, Meaning<T> meaning)
        implements Errand.Task<T> {
    /** The maximum size in bytes of a small answer. */
    public static final int SMALL = 64 << 10;

    /** The meaning of answers. */
    public interface Meaning<T> {
        /** Whether an answer with this status code is a success. */
        default boolean isSuccess(int status) {
            return status / 100 == 2;
        }

        /** Whether the request may be sent again after its answer was lost. */
        default boolean isSentAgain() {
            return true;
        }

        /** Returns the result of a success; empty if the answer is damaged and the request can be sent again. */
        Optional<T> success(Outcome.Told told);

        /** Returns the result of a refusal, such as absence; empty if it is a failure. */
        default Optional<T> refusal(Refusal refusal, boolean lost) {
            return Optional.empty();
        }
    }

    @Override
    public Origin.Prepared prepare() {
        return service.signed(request.get());
    }

    @Override
    public boolean isSentAgain() {
        return meaning.isSentAgain();
    }

    @Override
    public Errand.Verdict<T> judge(Outcome.Told told, boolean lost) {
        if (meaning.isSuccess(told.status())) {
            Optional<Refusal> late = service.lateRefusal(told);
            if (late.isPresent()) {
                return new Errand.Verdict.Again<>(late.get().describe(), true, Optional.empty());
            }
            return meaning.success(told)
                    .<Errand.Verdict<T>>map(Errand.Verdict.Done::new)
                    .orElseGet(() -> new Errand.Verdict.Again<>("an answer that is damaged", true, Optional.empty()));
        }
        Refusal refusal = service.refusal(told);
        return switch (refusal.kind()) {
            case ELSEWHERE -> new Errand.Verdict.Again<>(refusal.message(), false, Optional.of(Duration.ZERO));
            case BUSY -> new Errand.Verdict.Again<>(refusal.describe(), false, Errand.retryAfter(told));
            case PASSING -> new Errand.Verdict.Again<>(refusal.describe(), true, Errand.retryAfter(told));
            default ->
                meaning.refusal(refusal, lost)
                        .<Errand.Verdict<T>>map(Errand.Verdict.Done::new)
                        .orElseGet(() -> new Errand.Verdict.Failed<>(refusal.failure(what)));
        };
    }
}
