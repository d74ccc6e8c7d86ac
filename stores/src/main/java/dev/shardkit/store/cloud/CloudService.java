package dev.shardkit.store.cloud;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.BodyCollector;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.store.remote.exchange.ResponseClassifier;
import dev.shardkit.store.remote.exchange.ResponseOutcome;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cloud: makes requests about objects by their names, and interprets the answers. Thread-safe. */
public interface CloudService extends ServerProtocol {
    /** The maximum size in bytes of an answer that explains a failure. */
    int MAX_OF_A_REFUSAL = 64 << 10;

    /** The ends and the size in a Content-Range; the last byte may be -1. */
    Pattern EMPTY_RANGE = Pattern.compile("bytes ([0-9]{1,18})-(-1|[0-9]{1,18})/([0-9]{1,18})");

    /** Returns the location of the objects. */
    BucketLocation location();

    /** Returns which ranges the server supports, as far as known. */
    default RangeSupport ranges() {
        return RangeSupport.ALL;
    }

    /** Adds credentials to a request. Called for each attempt. */
    Prepared signed(Request request);

    /** Interprets an error response. If it names another server, later requests go there. */
    ErrorResponse refusal(ResponseOutcome.Response response);

    /** Returns the failure that a server reports in the body of a success, because it had begun to answer. */
    default Optional<ErrorResponse> lateRefusal(ResponseOutcome.Response response) {
        return Optional.empty();
    }

    /**
     * Makes a request that stores an object.
     *
     * @param writeId is kept in the object's user metadata
     */
    Request put(String name, Bytes bytes, Condition condition, Optional<String> writeId);

    /** Creates the request that deletes an object. */
    Request delete(String name, Condition condition);

    /** Creates the request for the version and the user metadata of an object. */
    Request stat(String name);

    /**
     * Returns the header fields of a condition on the ETag.
     *
     * @param impossible the ETag of no object, for versions that are not of this store
     */
    static Map<String, String> condition(Condition condition, String impossible) {
        if (condition instanceof Condition.Absent) {
            return Map.of("If-None-Match", "*");
        } else if (condition instanceof Condition.Version v) {
            return Map.of(
                    "If-Match", ObjectVersion.ifMatch(Optional.of(v.version())).orElse(impossible));
        }
        return Map.of();
    }

    /** Returns the write id from the answer to {@link #stat}. */
    Optional<String> writeId(ResponseOutcome.Response stat);

    /**
     * Returns the version of an object of {@code size} bytes from the answer to {@link #put} or {@link #stat}. By
     * default it comes from the headers, as for reads.
     */
    default Optional<String> version(ResponseOutcome.Response response, long size) {
        return ObjectVersion.of(response.headers(), size);
    }

    @Override
    default String describe() {
        return location().describe();
    }

    /** Converts the answer of emulators to a range past the end, such as {@code bytes 10-9/10}, to HTTP 416. */
    @Override
    default Head translated(Head head) {
        return head.headers()
                .firstValue("Content-Range")
                .map(EMPTY_RANGE::matcher)
                .filter(Matcher::matches)
                .filter(range -> Long.parseLong(range.group(2)) < Long.parseLong(range.group(1)))
                .map(range -> new Head(416, head.headers().with("Content-Range", "bytes */" + range.group(3))))
                .orElse(head);
    }

    @Override
    default Optional<BodyCollector> refused(Head head, ResponseClassifier classifier) {
        return Optional.of(BodyCollector.text(MAX_OF_A_REFUSAL, (bytes, total) -> {
            ResponseOutcome.Response response = new ResponseOutcome.Response(head.status(), head.headers(), bytes);
            ErrorResponse refusal = refusal(response);
            if (refusal.status() == 416) {
                return classifier.withoutBody(416, withSize(head.headers(), refusal));
            }
            return switch (refusal.kind()) {
                case ELSEWHERE -> new ResponseOutcome.Retry(refusal.message(), Optional.of(Duration.ZERO));
                case BUSY, PASSING ->
                    new ResponseOutcome.Retry(refusal.describe(), RetriedOperation.retryAfter(response));
                case ABSENT -> classifier.withoutBody(404, head.headers());
                case NOT_MET -> classifier.withoutBody(412, head.headers());
                case FORBIDDEN -> classifier.forbidden(refusal.describe());
                case FAILED -> new ResponseOutcome.Failed(classifier.failure(refusal.describe()));
            };
        }));
    }

    /** Adds the size of the object, which some servers send in the body only. */
    private static Headers withSize(Headers headers, ErrorResponse refusal) {
        boolean tells = headers.firstValue("Content-Range").isPresent()
                || refusal.size().isEmpty();
        return tells
                ? headers
                : new Headers(Map.of(
                        "Content-Range", List.of("bytes */" + refusal.size().getAsLong())));
    }
}
