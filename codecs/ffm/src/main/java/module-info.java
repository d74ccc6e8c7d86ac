/** Native {@code zstd}, {@code gzip} and {@code blosc} through the foreign function API; optional, for JDK 25. */
module dev.shardkit.codecs.ffm {
    requires dev.shardkit.codecs;
    requires aircompressor.v3;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.ffm.FfmBloscCodecFactory,
            dev.shardkit.codec.ffm.FfmGzipCodecFactory,
            dev.shardkit.codec.ffm.FfmZstdCodecFactory;
}
