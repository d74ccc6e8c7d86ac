/** The {@code crc32c} codec, which the default index codecs of every shard contain. */
module dev.shardkit.codec.crc32c {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.codec.crc32c;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.crc32c.Crc32cCodecFactory;
}
