/**
 * Reads and writes volumes in the precomputed format of neuroglancer, so that their scales open like arrays of Zarr v3.
 */
module dev.shardkit.neuroglancer {
    requires dev.shardkit.codecs;
    requires transitive dev.shardkit.spi;
    requires java.desktop;

    exports dev.shardkit.neuroglancer;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.neuroglancer.CodecFactories.CompressedSegmentation,
            dev.shardkit.neuroglancer.CodecFactories.Jpeg,
            dev.shardkit.neuroglancer.CodecFactories.Png,
            dev.shardkit.neuroglancer.CodecFactories.Unsupported;
    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.neuroglancer.NeuroglancerFormat;
    provides dev.shardkit.spi.StorageTransformerFactory with
            dev.shardkit.neuroglancer.TransformerFactories.Files,
            dev.shardkit.neuroglancer.TransformerFactories.Shards;
}
