/** The store of ZIP archives. */
module dev.shardkit.store.zip {
    requires transitive dev.shardkit.metadata;
    requires dev.shardkit.stores;

    exports dev.shardkit.store.zip;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.zip.ZipStoreFactory;
}
