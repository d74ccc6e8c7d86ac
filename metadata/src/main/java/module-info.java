/** Metadata documents of arrays and groups, and the registry of the plug-ins that they name. */
@SuppressWarnings("module") // the modules that the JSON parser is exported to are compiled later
module dev.shardkit.metadata {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.spi;
    requires com.fasterxml.jackson.core;

    exports dev.shardkit.json to
            dev.shardkit,
            dev.shardkit.cli,
            dev.shardkit.maintenance,
            dev.shardkit.store.zip,
            dev.shardkit.stores;
    exports dev.shardkit.metadata;
    exports dev.shardkit.metadata.creation to
            dev.shardkit;
    exports dev.shardkit.registry;

    uses dev.shardkit.spi.ChunkGridFactory;
    uses dev.shardkit.spi.ChunkKeyEncodingFactory;
    uses dev.shardkit.spi.CodecFactory;
    uses dev.shardkit.spi.DataTypeFactory;
    uses dev.shardkit.spi.NodeFormat;
    uses dev.shardkit.spi.StorageTransformerFactory;
    uses dev.shardkit.store.StoreFactory;
}
