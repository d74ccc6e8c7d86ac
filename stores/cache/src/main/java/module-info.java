/** A store that caches another store on disk. */
module dev.shardkit.store.cache {
    requires transitive dev.shardkit.engine;
    requires dev.shardkit.stores;

    exports dev.shardkit.store.cache;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.cache.CachedStoreFactory;
}
