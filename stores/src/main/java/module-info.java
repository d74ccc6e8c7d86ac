/** The memory, file and HTTP stores. */
module dev.shardkit.stores {
  requires transitive dev.shardkit;
  requires java.net.http;

  exports dev.shardkit.store.memory;
  exports dev.shardkit.store.file;

  provides dev.shardkit.store.StoreFactory with
      dev.shardkit.store.memory.MemoryStoreFactory,
      dev.shardkit.store.file.FileStoreFactory;
}
