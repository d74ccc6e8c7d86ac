package dev.shardkit.store.http;

/** Says whether an HTTP store identifies the versions of an object by their ETags. */
public enum EtagUse {
    /** Equal ETags mean equal content, and different ETags mean different content. This is the usual case. */
    COMPARE,
    /**
     * ETags are ignored and not sent. Use this for several servers behind one name that give the same object different
     * ETags. Last-Modified and the size then identify versions. Without Last-Modified an object has no version, and
     * nothing is cached between calls.
     */
    IGNORE
}
