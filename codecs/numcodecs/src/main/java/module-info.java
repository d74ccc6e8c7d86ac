/**
 * The codecs that zarr-python writes under the names of the Python library numcodecs, such as {@code numcodecs.delta}
 * and {@code numcodecs.bz2}. Zarr v2 arrays with these filters and compressors need this module.
 */
@SuppressWarnings("module") // the named module is built only on newer JDKs
module dev.shardkit.codecs.numcodecs {
    requires dev.shardkit.codecs;
    requires transitive dev.shardkit.spi;
    requires org.tukaani.xz;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Adler32,
            dev.shardkit.codec.numcodecs.NumberFactories.Astype,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Bz2,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Crc32,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Crc32c,
            dev.shardkit.codec.numcodecs.NumberFactories.Delta,
            dev.shardkit.codec.numcodecs.NumberFactories.FixedScaleOffset,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Fletcher32,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.JenkinsLookup3,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Json2,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Lz4,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Lzma,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.Packbits,
            dev.shardkit.codec.numcodecs.NumberFactories.Quantize,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.RowDelta,
            dev.shardkit.codec.numcodecs.NumcodecsFactories.TiffLzw;
}
