package dev.shardkit.store.cache;

/** Removes the cached ranges of an object after a change through the cached store. Stateless. */
final class CacheInvalidation {
    private CacheInvalidation() {}

    /**
     * Removes the object's ranges after a change. The result of a read that was sent before the change is not cached
     * either, because it may have the old content.
     */
    static void afterChange(CachedReads reads, String key) {
        reads.confirmedVersions().change(key);
        reads.objects().drop(key);
    }
}
