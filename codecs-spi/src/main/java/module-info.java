/**
 * The interfaces between shardkit and its plug-ins: codecs, data types, chunk grids, storage transformers and node
 * formats. It also contains the model that they share: boxes, elements, JSON, byte ranges, plans and errors. Authors of
 * plug-ins depend on this module only.
 */
@SuppressWarnings("module") // the modules named in `exports ... to` depend on this one
module dev.shardkit.spi {
    requires static transitive org.jspecify;

    exports dev.shardkit.spi;
    exports dev.shardkit.spi.array;
    exports dev.shardkit.spi.codec;
    exports dev.shardkit.spi.error;
    exports dev.shardkit.spi.grid;
    exports dev.shardkit.spi.json;
    // Only for shardkit's own codecs. A module for five classes would be one more artifact for users.
    exports dev.shardkit.spi.bytes to
            dev.shardkit.codec.zstd,
            dev.shardkit.codecs,
            dev.shardkit.codecs.numcodecs,
            dev.shardkit.codecs.ffm,
            dev.shardkit.blosc2,
            dev.shardkit.hdf5,
            dev.shardkit.n5,
            dev.shardkit.neuroglancer,
            dev.shardkit.wkw;
    exports dev.shardkit.spi.plan;
    // Only for shardkit's own shard formats.
    exports dev.shardkit.spi.shard to
            dev.shardkit.codec.sharding,
            dev.shardkit.neuroglancer,
            dev.shardkit.transformers,
            dev.shardkit.wkw;
    exports dev.shardkit.spi.type;

    provides dev.shardkit.spi.ChunkGridFactory with
            dev.shardkit.spi.grid.RegularGridFactory;
    provides dev.shardkit.spi.ChunkKeyEncodingFactory with
            dev.shardkit.spi.grid.ChunkKeyFactories.Default,
            dev.shardkit.spi.grid.ChunkKeyFactories.V2;
    provides dev.shardkit.spi.DataTypeFactory with
            dev.shardkit.spi.type.factory.CoreTypeFactories.Bool,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Int8,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Int16,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Int32,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Int64,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Uint8,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Uint16,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Uint32,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Uint64,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Float16,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Float32,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Float64,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Complex64,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Complex128,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Strings,
            dev.shardkit.spi.type.factory.CoreTypeFactories.Bytes,
            dev.shardkit.spi.type.factory.CoreTypeFactories.RawBits;
}
