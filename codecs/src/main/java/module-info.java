/** The codecs beside {@code crc32c} and {@code sharding_indexed}, a package each. */
module dev.shardkit.codecs {
  requires transitive dev.shardkit.spi;
  requires aircompressor;
}
