/**
 * Reads and writes volumes in the precomputed format of neuroglancer, so that their scales open like arrays of Zarr v3.
 */
module dev.shardkit.neuroglancer {
    requires dev.shardkit.codecs;
    requires transitive dev.shardkit.spi;
    requires java.desktop;

    exports dev.shardkit.neuroglancer;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.neuroglancer.NeuroglancerCodecFactories.CompressedSegmentation,
            dev.shardkit.neuroglancer.NeuroglancerCodecFactories.Jpeg,
            dev.shardkit.neuroglancer.NeuroglancerCodecFactories.Png,
            dev.shardkit.neuroglancer.NeuroglancerCodecFactories.Unsupported;
    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.neuroglancer.NeuroglancerFormat;
    provides dev.shardkit.spi.StorageTransformerFactory with
            dev.shardkit.neuroglancer.TransformerFactories.Files,
            dev.shardkit.neuroglancer.TransformerFactories.Shards;
}
