/** The memory, file, HTTP and reference stores. */
module dev.shardkit.stores {
    requires transitive dev.shardkit;
    requires transitive dev.shardkit.transport;
    requires transitive java.net.http;

    exports dev.shardkit.store.memory;
    exports dev.shardkit.store.file;
    exports dev.shardkit.store.http;
    exports dev.shardkit.reference;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.memory.MemoryStoreFactory,
            dev.shardkit.store.file.FileStoreFactory,
            dev.shardkit.store.http.HttpStoreFactory,
            dev.shardkit.store.http.HttpsStoreFactory,
            dev.shardkit.reference.ReferenceStoreFactory;
}
