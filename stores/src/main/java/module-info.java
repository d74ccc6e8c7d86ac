/** The stores in memory, of files, HTTP and references, stores composed of others, and the base of cloud stores. */
@SuppressWarnings("module") // the modules after `to` depend on this one, so javac does not find them yet
module dev.shardkit.stores {
    requires transitive dev.shardkit.metadata;
    requires transitive dev.shardkit.transport;
    requires java.xml;

    exports dev.shardkit.store.composed;
    exports dev.shardkit.store.memory;
    exports dev.shardkit.store.file;
    exports dev.shardkit.store.http;
    exports dev.shardkit.store.reference;
    exports dev.shardkit.store.cloud to
            dev.shardkit.store.azure,
            dev.shardkit.store.gcs,
            dev.shardkit.store.s3;
    exports dev.shardkit.store.filesystem to
            dev.shardkit.store.cache,
            dev.shardkit.store.zip;
    exports dev.shardkit.store.keys to
            dev.shardkit.blosc2,
            dev.shardkit.hdf5,
            dev.shardkit.store.cache,
            dev.shardkit.store.hadoop,
            dev.shardkit.store.zip;
    exports dev.shardkit.store.objects to
            dev.shardkit.blosc2,
            dev.shardkit.hdf5,
            dev.shardkit.store.cache,
            dev.shardkit.store.zip;
    exports dev.shardkit.store.remote to
            dev.shardkit.store.azure,
            dev.shardkit.store.gcs,
            dev.shardkit.store.s3;
    exports dev.shardkit.store.remote.exchange to
            dev.shardkit.store.azure,
            dev.shardkit.store.gcs,
            dev.shardkit.store.s3;

    provides dev.shardkit.store.StoreFactory with
            dev.shardkit.store.memory.MemoryStoreFactory,
            dev.shardkit.store.file.FileStoreFactory,
            dev.shardkit.store.http.HttpStoreFactory,
            dev.shardkit.store.http.HttpsStoreFactory,
            dev.shardkit.store.reference.ReferenceStoreFactory,
            dev.shardkit.store.composed.ComposedStoreFactory;
}
