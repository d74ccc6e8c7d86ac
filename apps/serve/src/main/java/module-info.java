/** A read-only HTTP server for a store. */
module dev.shardkit.serve {
    requires transitive dev.shardkit;
    requires dev.shardkit.cf;
    requires dev.shardkit.ome;
    requires dev.shardkit.pictures;
    requires jdk.httpserver;

    exports dev.shardkit.serve;
}
