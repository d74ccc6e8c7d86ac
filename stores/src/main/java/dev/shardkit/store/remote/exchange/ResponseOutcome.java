package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Headers;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of one HTTP response to a request for a range of an object: bytes, absence, a failure, or what to request
 * next.
 */
public sealed interface ResponseOutcome {
    /** The requested bytes, and the whole object if it was received and there was memory for it. */
    record Found(Bytes bytes, long total, Optional<String> version, Optional<Bytes> whole) implements ResponseOutcome {
        /** An answer with the requested bytes only. */
        public Found(Bytes bytes, long total, Optional<String> version) {
            this(bytes, total, version, Optional.empty());
        }
    }

    /** The whole object, in place of whatever was requested, because it is stored with a Content-Encoding. */
    record Decoded(Bytes whole, Optional<String> version) implements ResponseOutcome {}

    /** The answer is a range of the encoded form of an object: only the whole object can be decoded. */
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

    /** The object is to be read at another URL, by the next request. */
    record Moved(URI target) implements ResponseOutcome {}

    /**
     * The range lies past the end of the stored object: a failure, unless the object is stored with a Content-Encoding.
     */
    record PastTheEnd(RuntimeException failure) implements ResponseOutcome {}

    /** A permanent failure. */
    record Failed(RuntimeException failure) implements ResponseOutcome {}

    /** A transient failure, which can be retried. */
    record Retry(String reason, Optional<Duration> minimumPause) implements ResponseOutcome {}
}
