/** Maintenance of stored arrays: verify, repair, compact, change layouts, convert, adopt, concatenate, copy. */
module dev.shardkit.maintenance {
    requires transitive dev.shardkit;

    exports dev.shardkit.maintenance;
}
