/** Reads the documents and blocks of N5, so that its arrays and groups open like those of Zarr v3. */
@SuppressWarnings("module") // the digit is part of the format's name, not a version of the module
module dev.shardkit.n5 {
    requires dev.shardkit.codecs;
    requires dev.shardkit.codecs.numcodecs;
    requires transitive dev.shardkit.spi;
    requires org.apache.commons.codec;

    exports dev.shardkit.n5;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.n5.N5CodecFactories.Block,
            dev.shardkit.n5.N5CodecFactories.Lz4Block;
    provides dev.shardkit.spi.NodeFormat with
            dev.shardkit.n5.N5Format;
}
