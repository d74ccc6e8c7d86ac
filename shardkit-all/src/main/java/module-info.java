/** The module of the artifact {@code shardkit}, with which applications get all common modules by one dependency. */
module dev.shardkit.all {
    requires transitive dev.shardkit;
    requires transitive dev.shardkit.cf;
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.maintenance;
    requires transitive dev.shardkit.metadata;
    requires transitive dev.shardkit.stores;
    requires dev.shardkit.transport.apache;
    requires transitive dev.shardkit.store.cache;
    requires transitive dev.shardkit.store.zip;
    requires transitive dev.shardkit.codecs;
    requires dev.shardkit.codecs.numcodecs;
    requires dev.shardkit.blosc2;
    requires dev.shardkit.n5;
    requires dev.shardkit.neuroglancer;
    requires dev.shardkit.wkw;
    requires transitive dev.shardkit.type;
    requires transitive dev.shardkit.codec.crc32c;
    requires transitive dev.shardkit.codec.sharding;
    requires transitive dev.shardkit.codec.zstd;
    requires transitive dev.shardkit.grids;
    requires transitive dev.shardkit.zarrv2;
    requires transitive dev.shardkit.transformers;
}
