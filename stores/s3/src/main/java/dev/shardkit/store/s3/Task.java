package dev.shardkit.store.s3;

import dev.shardkit.store.remote.Errand;
import dev.shardkit.store.remote.Origin;
import dev.shardkit.store.remote.Outcome;
import dev.shardkit.transport.Payload;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A request of an S3 store that is no read, and the meaning of its answers.
 *
 * @param origin the bucket
 * @param what the operation, for messages
 * @param method the HTTP method
 * @param uri makes the URL; called for each attempt, because the bucket may be found in another region
 * @param headers the headers
 * @param payload the body
 * @param most the maximum number of bytes of an answer
 * @param meaning the meaning of answers
 */
record Task<T>(
        S3Origin origin,
        String what,
        String method,
        Supplier<URI> uri,
        Map<String, String> headers,
        Payload payload,
        int most,
        Meaning<T> meaning)
        implements Errand.Task<T> {
    private static final int USUAL = 64 << 10;

    /** The meaning of answers. */
    interface Meaning<T> {
        /** Returns the result of a success; empty if the answer is damaged and the request can be sent again. */
        Optional<T> success(Outcome.Told told);

        /** Returns the result of an answer without a success status, such as absence; empty if it is a failure. */
        default Optional<T> refusal(Refusal refusal, boolean lost) {
            return Optional.empty();
        }
    }

    /** Makes a request with a small answer. */
    Task(
            S3Origin origin,
            String what,
            String method,
            Supplier<URI> uri,
            Map<String, String> headers,
            Payload payload,
            Meaning<T> meaning) {
        this(origin, what, method, uri, headers, payload, USUAL, meaning);
    }

    @Override
    public int mostBytes() {
        return most;
    }

    @Override
    public Origin.Prepared prepare() {
        return origin.request(method, uri.get(), headers, payload);
    }

    @Override
    public Errand.Verdict<T> judge(Outcome.Told told, boolean lost) {
        if (told.status() / 100 == 2) {
            // A server that has begun to answer can report a failure only in the body.
            Optional<Refusal> late = Optional.of(told)
                    .filter(t -> t.body().size() > 0)
                    .flatMap(t -> Xml.parse(t.body().toArray()))
                    .filter(root -> root.name().equals("Error"))
                    .map(root -> refusal(told));
            if (late.isPresent()) {
                return new Errand.Verdict.Again<>(late.get().describe(), true, Optional.empty());
            }
            return meaning.success(told)
                    .<Errand.Verdict<T>>map(Errand.Verdict.Done::new)
                    .orElseGet(() -> new Errand.Verdict.Again<>(
                            "an answer that is no valid XML document", true, Optional.empty()));
        }
        Refusal refusal = refusal(told);
        if (origin.isElsewhere(refusal)) {
            return new Errand.Verdict.Again<>(
                    "the bucket is in region " + origin.bucket().region(), false, Optional.of(Duration.ZERO));
        } else if (refusal.passes()) {
            return new Errand.Verdict.Again<>(refusal.describe(), refusal.mayHaveActed(), Errand.retryAfter(told));
        }
        return meaning.refusal(refusal, lost)
                .<Errand.Verdict<T>>map(Errand.Verdict.Done::new)
                .orElseGet(() -> new Errand.Verdict.Failed<>(refusal.failure(what)));
    }

    private static Refusal refusal(Outcome.Told told) {
        return Refusal.of(told.status(), told.headers(), told.body().toArray(), Set.of());
    }
}
