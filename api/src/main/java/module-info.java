/** Sharded Zarr v3 arrays for Java and Kotlin. */
module dev.shardkit {
  requires transitive dev.shardkit.spi;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.kotlin;
  // once a type is there: exports dev.shardkit;
  // once a type is there: exports dev.shardkit.store;
}
