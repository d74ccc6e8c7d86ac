/** The {@code zstd} codec: arrays that use it need this module. */
@SuppressWarnings("module") // dev.shardkit.codecs, which is named below, is compiled after this module
module dev.shardkit.codec.zstd {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.codec.zstd;
    // The codec blosc decodes and encodes frames of zstd.
    exports dev.shardkit.codec.zstd.decoder to
            dev.shardkit.codecs;
    exports dev.shardkit.codec.zstd.encoder to
            dev.shardkit.codecs;
    exports dev.shardkit.codec.zstd.frame to
            dev.shardkit.codecs;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.zstd.ZstdCodecFactory;
}
