/** The store of Google Cloud Storage buckets. */
module dev.shardkit.store.gcs {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.stores;

    exports dev.shardkit.store.gcs;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.gcs.GcsStoreFactory;
}
