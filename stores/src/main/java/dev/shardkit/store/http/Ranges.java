package dev.shardkit.store.http;

/** The known range support of a server; remembered for each store. */
enum Ranges {
    /** All ranges, as far as known. */
    ALL,
    /** Ranges except suffixes. */
    NO_SUFFIX,
    /** No ranges: the server sends whole objects. */
    NONE
}
