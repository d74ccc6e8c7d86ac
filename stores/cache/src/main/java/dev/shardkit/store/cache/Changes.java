package dev.shardkit.store.cache;

/** Removes objects that were changed through a cached store from its folder. Stateless. */
final class Changes {
    private Changes() {}

    /** Called after a change. A read that was sent before is not kept either: it may have the old state. */
    static void made(CachedReads reads, String key) {
        reads.seen().change(key);
        reads.objects().drop(key);
    }
}
