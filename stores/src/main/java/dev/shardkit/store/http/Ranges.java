package dev.shardkit.store.http;

/** What a server has shown of its support for ranges; remembered by store. */
enum Ranges {
    /** Nothing that speaks against it. */
    ALL,
    /** Ranges, but not of the last bytes. */
    NO_SUFFIX,
    /** None: it sends the whole object. */
    NONE
}
