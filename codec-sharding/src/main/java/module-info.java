/** The {@code sharding_indexed} codec: reads, writes and updates shards, their inner chunks and their index. */
module dev.shardkit.codec.sharding {
    requires transitive dev.shardkit.spi;

    exports dev.shardkit.codec.sharding;

    provides dev.shardkit.spi.CodecFactory with
            dev.shardkit.codec.sharding.ShardingCodecFactory;
}
