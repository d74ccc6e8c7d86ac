package dev.shardkit.store.cache;

/** When a cached store asks the other store, for objects that it has kept. */
public enum CacheMode {
    /** Once for each object before its kept ranges are used, with a request for one byte. The default. */
    CHECK,
    /**
     * Only for what is not kept. For objects that never change: a change of a kept object goes unnoticed. That an
     * object was absent is asked again.
     */
    TRUST,
    /** Never. A read of anything that is not kept fails and says so. */
    OFFLINE
}
