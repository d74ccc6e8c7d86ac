package dev.shardkit.store.remote.exchange;

import java.util.Optional;

/** The knowledge of a server's support for range requests, which each store keeps. */
public enum RangeSupport {
    /** The server has answered a range request or declared its support, and its objects have versions. */
    ANSWERED,
    /** Nothing is known against all kinds of ranges. */
    ALL,
    /** The server supports ranges except suffixes. */
    NO_SUFFIX,
    /** The server does not support ranges, and sends whole objects. */
    NONE;

    /**
     * Returns the support of a server that has answered a range request or declared its support.
     *
     * @param version the version of the object in this response
     */
    static RangeSupport answered(Optional<String> version) {
        return version.isPresent() ? ANSWERED : ALL;
    }
}
