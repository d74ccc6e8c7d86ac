package dev.shardkit.store.remote;

/** The known range support of a server; remembered for each store. */
public enum Ranges {
    /** All ranges: the server has answered one, or said that it does. */
    ANSWERED,
    /** All ranges, as far as known. */
    ALL,
    /** Ranges except suffixes. */
    NO_SUFFIX,
    /** No ranges: the server sends whole objects. */
    NONE
}
