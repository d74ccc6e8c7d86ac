package dev.shardkit.store.policy;

/** Whether a file store follows symbolic links that lead out of its root. Links within the root are always followed. */
public enum SymbolicLinks {
    /** Reading or writing through such a link is an error that names it. Safe for data from strangers. */
    REFUSE,
    /** Such links are followed, for reading and for writing. Only for data that the caller trusts as its own. */
    FOLLOW
}
