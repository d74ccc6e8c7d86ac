package dev.shardkit.store.remote.exchange;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The server of a store: makes the store's requests and interprets its answers. Thread-safe. */
public interface ServerProtocol {
    /** A request, and its secrets, which messages must not contain. */
    record Prepared(Request request, Set<String> secrets) {}

    /** Returns where the server is, without secrets. */
    String describe();

    /** Returns the host that requests go to, with the port if it is not the usual one. */
    String host();

    /** Returns secrets that all requests contain. */
    Set<String> secrets();

    /** Returns whether making a request may wait, for example for credentials. */
    boolean mayWait();

    /** Creates the request for a range of an object. Called for each attempt. */
    Prepared read(String key, RangeRequest rangeRequest, Optional<String> pin);

    /**
     * Makes a request for an object at the URL that {@link ResponseOutcome.Moved} named.
     *
     * @throws UnsupportedOperationException if the origin follows no redirects
     */
    default Prepared follow(URI target, RangeRequest rangeRequest, Optional<String> pin) {
        throw new UnsupportedOperationException("no redirects are followed");
    }

    /**
     * Interprets the answer to a read if its status is neither 200 nor 206. Empty for the usual meaning of the status
     * ({@link ResponseClassifier#withoutBody}).
     */
    default Optional<BodyCollector> refused(Head head, ResponseClassifier classifier) {
        return Optional.empty();
    }

    /**
     * Returns the head of an answer as RFC 9110 has it, with an ETag that identifies the version of the object. By
     * default returns the head itself.
     */
    default Head translated(Head head) {
        return head;
    }

    /**
     * Returns whether an answer with HTTP 200 has an object that is stored with a Content-Encoding, and that the server
     * has decoded. Ranges and sizes of such an object are those of its stored form. By default false.
     */
    default boolean isDecoded(Headers headers) {
        return false;
    }

    /**
     * Compares a whole object with the checksum in the head of its answer. Returns a description of the mismatch; empty
     * if they match.
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
