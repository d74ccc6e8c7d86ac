/** Reads and writes the cubes of webknossos-wrap, so that its data open like arrays of Zarr v3. */
module dev.shardkit.wkw {
    requires dev.shardkit.codecs;
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.wkw;

    provides dev.shardkit.spi.ChunkKeyEncodingFactory with
            dev.shardkit.wkw.CubeKeys;
    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.wkw.WkwCodecFactories.Cubes,
            dev.shardkit.wkw.WkwCodecFactories.Lz4;
    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.wkw.WkwFormat;
}
