/** The memory, file and HTTP stores. */
module dev.shardkit.stores {
  requires transitive dev.shardkit;
  requires java.net.http;
  // once a type is there: exports dev.shardkit.store.memory;
  // once a type is there: exports dev.shardkit.store.file;
  // once a type is there: exports dev.shardkit.store.http;
}
