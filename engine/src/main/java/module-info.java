/** The seam of stores, and the engine that runs plans against them. */
@SuppressWarnings("module") // the modules that the engine is exported to are compiled later
module dev.shardkit.engine {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.store;
    exports dev.shardkit.engine to
            dev.shardkit,
            dev.shardkit.maintenance;
}
