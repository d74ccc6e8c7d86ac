package dev.shardkit.store.cache;

/** Removes the cached ranges of an object after a change through the cached store. Stateless. */
final class CacheInvalidation {
    private CacheInvalidation() {}

    /** Called after a change. A read that was sent before is not kept either: it may have the old state. */
    static void afterChange(CachedReads reads, String key) {
        reads.confirmedVersions().change(key);
        reads.objects().drop(key);
    }
}
