/** Sharded Zarr v3 arrays for Java and Kotlin. */
@SuppressWarnings("module") // the modules that some packages are exported to are compiled later
module dev.shardkit {
    requires transitive dev.shardkit.engine;
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
    exports dev.shardkit.json to
            dev.shardkit.cli,
            dev.shardkit.maintenance,
            dev.shardkit.store.zip,
            dev.shardkit.stores;
    exports dev.shardkit.metadata;
    exports dev.shardkit.registry;

    uses dev.shardkit.spi.ChunkGridFactory;
    uses dev.shardkit.spi.ChunkKeyEncodingFactory;
    uses dev.shardkit.spi.CodecFactory;
    uses dev.shardkit.spi.DataTypeFactory;
    uses dev.shardkit.spi.NodeFormat;
    uses dev.shardkit.spi.StorageTransformerFactory;
    uses dev.shardkit.store.StoreFactory;
}
