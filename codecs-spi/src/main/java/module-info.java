/** The plug-in seam of shardkit. */
module dev.shardkit.spi {
  requires static transitive org.jspecify;

  exports dev.shardkit.spi;
  exports dev.shardkit.spi.array;
  exports dev.shardkit.spi.codec;
  exports dev.shardkit.spi.error;
  exports dev.shardkit.spi.json;
  exports dev.shardkit.spi.plan;
}
