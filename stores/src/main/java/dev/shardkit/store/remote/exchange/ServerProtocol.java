package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The protocol of a store's server: makes the requests and interprets the responses. Thread-safe. */
public interface ServerProtocol {
    /** A request, and its secrets, which messages must not contain. */
    record Prepared(Request request, Set<String> secrets) {}

    /** Returns the location of the store on the server, for messages, without secrets. */
    String describe();

    /** Returns the host to which requests go, with the port if it is not the default one. */
    String host();

    /** Returns secrets that all requests contain. */
    Set<String> secrets();

    /** Returns whether making a request may wait, for example for credentials. */
    boolean mayWait();

    /** Creates the request for a range of an object, in the version {@code pin} if present. Called for each attempt. */
    Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin);

    /**
     * Creates the request for a range of an object at the URL of a redirect ({@link ResponseOutcome.Moved}).
     *
     * @throws UnsupportedOperationException if this protocol follows no redirects
     */
    default Prepared follow(URI target, RangeRequest rangeRequest, Optional<String> pin) {
        throw new UnsupportedOperationException("no redirects are followed");
    }

    /**
     * Interprets the response to a read if its status is neither 200 nor 206. Returns empty if the status has its usual
     * meaning ({@link ResponseClassifier#withoutBody}).
     */
    default Optional<BodyCollector> refused(Head head, ResponseClassifier classifier) {
        return Optional.empty();
    }

    /**
     * Converts the head of a response to the form of RFC 9110, with an ETag that identifies the version of the object.
     * By default returns the head itself.
     */
    default Head translated(Head head) {
        return head;
    }

    /**
     * Returns whether the body of a response with HTTP 200 is an object that is stored with a Content-Encoding, and
     * that the server has decoded. Ranges and sizes of such an object are those of its stored form. By default false.
     */
    default boolean isDecoded(Headers headers) {
        return false;
    }

    /**
     * Compares a whole object with the checksum in the head of its response. Returns a description of the mismatch;
     * empty if they match.
     */
    default Optional<String> damage(Headers headers, Bytes body) {
        return Optional.empty();
    }

    /**
     * Returns whether whole objects are compared with checksums ({@link #damage}). If so, their bytes are not used
     * before the comparison. By default false.
     */
    default boolean checksWholeObjects() {
        return false;
    }

    /** Returns the log of the store. */
    System.Logger log();

    /** Writes a finished request to the log of the store, at debug level. */
    default void log(Supplier<String> description, int status, long nanos) {
        if (log().isLoggable(System.Logger.Level.DEBUG)) {
            log().log(System.Logger.Level.DEBUG, "{0}: HTTP {1}, {2} ms", description.get(), status, nanos / 1_000_000);
        }
    }
}
