package dev.shardkit.store.cache;

/** When a cached store asks the other store about objects in the cache. */
public enum CacheMode {
    /** Asks once for each object before it uses cached ranges of it, by a request for one byte. The default. */
    CHECK,
    /**
     * Asks only for objects and ranges that are not in the cache, and for objects that were absent. For objects that
     * never change, because it does not detect a change of a cached object.
     */
    TRUST,
    /** Never asks. A read of bytes that are not in the cache fails with a message that names the missing object. */
    OFFLINE
}
