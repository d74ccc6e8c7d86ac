/** Pictures and reports of arrays. */
module dev.shardkit.pictures {
    requires transitive dev.shardkit.maintenance;

    exports dev.shardkit.pictures;
}
