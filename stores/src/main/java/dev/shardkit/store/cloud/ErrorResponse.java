package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.remote.exchange.Secrets;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An error response of a cloud's server, and its meaning for a store.
 *
 * @param status the HTTP status code
 * @param code the cloud's name of the error, such as {@code NoSuchKey}; "" if there is none
 * @param message the cloud's explanation, perhaps with advice
 * @param requestId identifies the request for the people who run the server; "" if there is none
 * @param size the size of the object, if the answer names it
 * @param kind the meaning of the response
 */
public record ErrorResponse(int status, String code, String message, String requestId, OptionalLong size, Kind kind) {
    /** The maximum number of characters of a server's text in a message. */
    private static final int LONGEST = 300;

    /** The status codes of failures that are usually temporary. */
    private static final Set<Integer> PASSING_STATUS = Set.of(408, 429, 500, 502, 503, 504);

    /** The meaning of a refusal. */
    public enum Kind {
        /** The object does not exist. A missing bucket or container is {@link #FAILED}. */
        ABSENT,
        /** The condition of the request does not hold. */
        NOT_MET,
        /** Another server has the bucket; the service sends its requests there from now on. */
        ELSEWHERE,
        /** The request may succeed if it is sent again; the server has not acted on it. */
        BUSY,
        /** The request may succeed if it is sent again; the server may have acted on it. */
        PASSING,
        /**
         * The caller may not read the object. A server that hides which objects exist also sends this for a missing
         * one.
         */
        FORBIDDEN,
        /** A permanent failure. */
        FAILED
    }

    /** Returns whether failures with this status code are usually transient. */
    public static boolean passes(int status) {
        return PASSING_STATUS.contains(status);
    }

    /** Returns a server's text for a message: shortened, and without secrets and unprintable characters. */
    public static String plain(String text, Collection<String> secrets) {
        String clean = Secrets.clean(text, secrets).replaceAll("[^ -~]", "?").strip();
        return clean.length() > LONGEST ? clean.substring(0, LONGEST) + "..." : clean;
    }

    /** Returns status, code, explanation and request id, for a message. */
    public String describe() {
        String text = "HTTP " + status + (code.isEmpty() ? "" : " " + code) + (message.isEmpty() ? "" : ": " + message);
        return text + (requestId.isEmpty() ? "" : " (request id " + requestId + ")");
    }

    /** Returns the exception for a failed operation. */
    public StoreException failure(String operation) {
        return new StoreException(operation + ": " + describe());
    }
}
