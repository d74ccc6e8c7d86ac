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

/**
 * The protocol of one cloud: makes requests about objects by their names, and interprets the responses. Thread-safe.
 */
public interface CloudService extends ServerProtocol {
    /** The maximum size in bytes of an error response. */
    int MAX_OF_A_REFUSAL = 64 << 10;

    /** A Content-Range: first byte, last byte, size of the object. In an empty range, the last byte may be -1. */
    Pattern EMPTY_RANGE = Pattern.compile("bytes ([0-9]{1,18})-(-1|[0-9]{1,18})/([0-9]{1,18})");

    /** Returns the location of the objects. */
    BucketLocation location();

    /** Returns which ranges the server supports, as far as it is known before the first request. */
    default RangeSupport ranges() {
        return RangeSupport.ALL;
    }

    /** Adds credentials to a request. Called for each attempt. */
    Prepared signed(Request request);

    /** Interprets an error response. If it names another server, later requests go there. */
    ErrorResponse refusal(ResponseOutcome.Response response);

    /**
     * Returns the failure in the body of a response with a success status. A server reports it there if it has already
     * sent the status.
     */
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
     * @param impossible an ETag that no object has, sent for a version that is not an ETag, so the condition fails
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

    /** Returns the write id from the response to {@link #stat}. */
    Optional<String> writeId(ResponseOutcome.Response stat);

    /**
     * Returns the version of an object of {@code size} bytes from the response to {@link #put} or {@link #stat}. By
     * default it comes from the headers, as for reads.
     */
    default Optional<String> version(ResponseOutcome.Response response, long size) {
        return ObjectVersion.of(response.headers(), size);
    }

    @Override
    default String describe() {
        return location().describe();
    }

    /** Replaces an emulator's response to a range past the end, such as {@code bytes 10-9/10}, by HTTP 416. */
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

    /** Adds the object's size, which some servers send only in the body of HTTP 416, as the header Content-Range. */
    private static Headers withSize(Headers headers, ErrorResponse refusal) {
        boolean isNothingToAdd = headers.firstValue("Content-Range").isPresent()
                || refusal.size().isEmpty();
        return isNothingToAdd
                ? headers
                : new Headers(Map.of(
                        "Content-Range", List.of("bytes */" + refusal.size().getAsLong())));
    }
}
