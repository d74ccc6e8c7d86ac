package dev.shardkit.store.remote.exchange;

import java.util.Optional;

/** What is known about a server's support of range requests; remembered for each store. */
public enum RangeSupport {
    /**
     * The server supports all ranges, and its objects have versions: it has answered a range request, or declared its
     * support.
     */
    ANSWERED,
    /** All ranges, as far as known. */
    ALL,
    /** Ranges except suffixes. */
    NO_SUFFIX,
    /** No ranges: the server sends whole objects. */
    NONE;

    /**
     * Returns the support that a response to a range request shows, or a declared support, given the version of the
     * object.
     */
    static RangeSupport answered(Optional<String> version) {
        return version.isPresent() ? ANSWERED : ALL;
    }
}
