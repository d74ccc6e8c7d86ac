/** The store interfaces, and the engine that runs plans against stores. */
@SuppressWarnings("module") // the engine is exported to modules that are compiled later
module dev.shardkit.engine {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.store;
    exports dev.shardkit.store.access;
    exports dev.shardkit.store.policy;
    exports dev.shardkit.engine.error to
            dev.shardkit;
    exports dev.shardkit.engine.edit to
            dev.shardkit,
            dev.shardkit.maintenance;
    exports dev.shardkit.engine.run to
            dev.shardkit,
            dev.shardkit.maintenance;
    exports dev.shardkit.engine.threads to
            dev.shardkit,
            dev.shardkit.kotlin,
            dev.shardkit.maintenance,
            dev.shardkit.ome;
    // Only for shardkit's own stores.
    exports dev.shardkit.outofmemory to
            dev.shardkit.store.azure,
            dev.shardkit.store.hadoop,
            dev.shardkit.stores;
    exports dev.shardkit.store.channel to
            dev.shardkit.stores;
}
