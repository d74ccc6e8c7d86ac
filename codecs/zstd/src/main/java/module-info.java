/** The {@code zstd} codec. */
@SuppressWarnings("module") // the module named needs this one
module dev.shardkit.codec.zstd {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.codec.zstd;
    // blosc holds frames of zstd.
    exports dev.shardkit.codec.zstd.decoder to
            dev.shardkit.codecs;
    exports dev.shardkit.codec.zstd.encoder to
            dev.shardkit.codecs;
    exports dev.shardkit.codec.zstd.frame to
            dev.shardkit.codecs;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.zstd.ZstdCodecFactory;
}
