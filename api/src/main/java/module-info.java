/** Sharded Zarr v3 arrays for Java and Kotlin. */
@SuppressWarnings("module") // the module that some packages are exported to is compiled later
module dev.shardkit {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.metadata;
    requires transitive dev.shardkit.spi;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.kotlin;

    exports dev.shardkit;
    exports dev.shardkit.carrier to
            dev.shardkit.maintenance;
    exports dev.shardkit.presence to
            dev.shardkit.maintenance;
    exports dev.shardkit.region to
            dev.shardkit.maintenance;
    exports dev.shardkit.session to
            dev.shardkit.maintenance;
}
