/** The {@code crc32c} codec. */
module dev.shardkit.codec.crc32c {
  requires transitive dev.shardkit.spi;
  // once a type is there: exports dev.shardkit.codec.crc32c;
}
