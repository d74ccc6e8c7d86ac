/** The store of Azure Blob Storage containers. */
module dev.shardkit.store.azure {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.stores;

    exports dev.shardkit.store.azure;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.azure.AzureStoreFactory,
            dev.shardkit.store.azure.AbfsStoreFactory,
            dev.shardkit.store.azure.AbfssStoreFactory;
}
