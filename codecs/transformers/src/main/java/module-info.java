/**
 * The {@code sharding} storage transformer, and the draft of Zarr v3 that defined it. Only arrays that experimental
 * versions of zarr-python wrote from 2022 to 2024 need this module.
 */
module dev.shardkit.transformers {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.transformer.sharding;
    exports dev.shardkit.zarrv3draft;

    provides dev.shardkit.spi.ChunkKeyEncodingFactory with
            dev.shardkit.zarrv3draft.DraftChunkKeys;
    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.zarrv3draft.DraftFormat;
    provides dev.shardkit.spi.StorageTransformerFactory with
            dev.shardkit.transformer.sharding.ShardingTransformerFactory;
}
