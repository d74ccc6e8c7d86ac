/** A read-only HTTP server for the objects of a store, with a page that shows its arrays. */
module dev.shardkit.serve {
    requires transitive dev.shardkit;
    requires dev.shardkit.cf;
    requires dev.shardkit.ome;
    requires dev.shardkit.pictures;
    requires jdk.httpserver;

    exports dev.shardkit.serve;
}
