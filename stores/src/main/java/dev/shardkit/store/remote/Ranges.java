package dev.shardkit.store.remote;

import java.util.Optional;

/** The known range support of a server; remembered for each store. */
public enum Ranges {
    /** All ranges, of objects with versions: the server has answered one, or said that it does. */
    ANSWERED,
    /** All ranges, as far as known. */
    ALL,
    /** Ranges except suffixes. */
    NO_SUFFIX,
    /** No ranges: the server sends whole objects. */
    NONE;

    /** Returns what an answer to a range shows, or the claim to answer ranges, with the version of its object. */
    static Ranges answered(Optional<String> version) {
        return version.isPresent() ? ANSWERED : ALL;
    }
}
