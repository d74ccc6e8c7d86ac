/** The plug-in seam of shardkit. */
module dev.shardkit.spi {
  requires static transitive org.jspecify;
  // once a type is there: exports dev.shardkit.spi;
}
