/** The {@code sharding_indexed} codec. */
module dev.shardkit.codec.sharding {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.codec.sharding;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.sharding.ShardingCodecFactory;
}
