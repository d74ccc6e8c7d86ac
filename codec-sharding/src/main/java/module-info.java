/** The {@code sharding_indexed} codec. */
module dev.shardkit.codec.sharding {
  requires transitive dev.shardkit.spi;
  // once a type is there: exports dev.shardkit.codec.sharding;
}
