/**
 * All codecs except {@code crc32c}, {@code sharding_indexed} and {@code zstd}, which have modules of their own. Each
 * codec has its own package. Arrays that are compressed or whose elements vary in size need this module.
 */
@SuppressWarnings("module") // modules that are named below are compiled after this one, or only on newer JDKs
module dev.shardkit.codecs {
    requires transitive dev.shardkit.codec.zstd;
    requires transitive dev.shardkit.spi;
    requires aircompressor;

    exports dev.shardkit.codec.blosc;
    exports dev.shardkit.codec.deflate to
            dev.shardkit.codecs.ffm;
    exports dev.shardkit.codec.gzip;
    exports dev.shardkit.codec.lz4 to
            dev.shardkit.codecs.numcodecs,
            dev.shardkit.hdf5,
            dev.shardkit.n5,
            dev.shardkit.wkw;
    exports dev.shardkit.codec.support to
            dev.shardkit.codecs.numcodecs;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.bitround.BitroundCodecFactory,
            dev.shardkit.codec.blosc.BloscCodecFactory,
            dev.shardkit.codec.blosc.NumcodecsBloscFactory,
            dev.shardkit.codec.bytes.BytesCodecFactory,
            dev.shardkit.codec.castvalue.CastValueCodecFactory,
            dev.shardkit.codec.conditional.ConditionalCodecFactory,
            dev.shardkit.codec.gzip.GzipCodecFactory,
            dev.shardkit.codec.packbits.PackbitsCodecFactory,
            dev.shardkit.codec.reshape.ReshapeCodecFactory,
            dev.shardkit.codec.scaleoffset.ScaleOffsetCodecFactory,
            dev.shardkit.codec.shuffle.ShuffleCodecFactory,
            dev.shardkit.codec.transpose.TransposeCodecFactory,
            dev.shardkit.codec.vlen.VlenCodecFactories.Arrays,
            dev.shardkit.codec.vlen.VlenCodecFactories.Bytes,
            dev.shardkit.codec.vlen.VlenCodecFactories.Utf8,
            dev.shardkit.codec.zlib.ZlibCodecFactory;
}
