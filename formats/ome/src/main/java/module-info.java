/** OME-Zarr: images in several resolutions, labels and plates; validation and pyramids. */
module dev.shardkit.ome {
    requires transitive dev.shardkit.maintenance;

    exports dev.shardkit.ome;
    exports dev.shardkit.ome.metadata;
    exports dev.shardkit.ome.pyramid;
    exports dev.shardkit.ome.validation;
}
