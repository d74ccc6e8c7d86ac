package dev.shardkit.store.cache;

/** When a cached store asks the other store about objects in the cache. */
public enum CacheMode {
    /** Once for each object before its kept ranges are used, with a request for one byte. The default. */
    CHECK,
    /**
     * Only for objects and ranges that are not in the cache. For objects that never change: a change of a cached object
     * is not detected. Absence is checked again.
     */
    TRUST,
    /** Never. A read of bytes that are not in the cache fails with a message that names the missing object. */
    OFFLINE
}
