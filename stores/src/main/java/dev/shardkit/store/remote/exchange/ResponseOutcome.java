package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The outcome of one HTTP response: bytes, absence, a failure, or knowledge for the next request. All outcomes except
 * {@link Response} are those of reads.
 */
public sealed interface ResponseOutcome {
    /** The requested bytes, and the whole object if it was received and there was memory for it. */
    record Found(Bytes bytes, long total, Optional<String> version, Optional<Bytes> whole) implements ResponseOutcome {
        /** Creates the outcome with the requested bytes only. */
        public Found(Bytes bytes, long total, Optional<String> version) {
            this(bytes, total, version, Optional.empty());
        }
    }

    /** The whole decoded object, whatever range was requested, because it is stored with a Content-Encoding. */
    record Decoded(Bytes whole, Optional<String> version) implements ResponseOutcome {}

    /** The response is a range of the encoded form of an object. Only the whole object can be decoded. */
    record Encoded() implements ResponseOutcome {}

    /** The object's size; empty if it is known only at the end of the body. */
    record Size(OptionalLong total, Optional<String> version) implements ResponseOutcome {}

    /** HTTP 416 for the first byte, without a size: the object is empty, or the server refuses every range. */
    record NoFirstByte() implements ResponseOutcome {}

    /** The object does not exist. */
    record Absent() implements ResponseOutcome {}

    /** The server does not support suffix ranges; it may have reported the size. */
    record NoSuffix(OptionalLong total, Optional<String> version) implements ResponseOutcome {}

    /**
     * The response to a request other than a read.
     *
     * @param status the HTTP status code
     * @param headers the header fields
     * @param body the body, or its beginning
     */
    record Response(int status, Headers headers, Bytes body) implements ResponseOutcome {}

    /** The server redirects the request to another URL. */
    record Moved(URI target) implements ResponseOutcome {}

    /**
     * The range lies past the end of the stored object. This is a failure unless the object is stored with a
     * Content-Encoding, so that the decoded object may be larger.
     */
    record PastTheEnd(RuntimeException failure) implements ResponseOutcome {}

    /** A permanent failure. */
    record Failed(RuntimeException failure) implements ResponseOutcome {}

    /** A transient failure, which can be retried. */
    record Retry(String reason, Optional<Duration> minimumPause) implements ResponseOutcome {}
}
