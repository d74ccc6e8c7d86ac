/** Maintenance of stored arrays: verify, repair, compact, change layouts, convert, adopt, concatenate, copy. */
@SuppressWarnings("module") // the modules named in `exports ... to` are compiled later
module dev.shardkit.maintenance {
    requires transitive dev.shardkit;
    requires transitive dev.shardkit.cf;

    exports dev.shardkit.maintenance;
    exports dev.shardkit.maintenance.adopt;
    exports dev.shardkit.maintenance.check;
    exports dev.shardkit.maintenance.compare;
    exports dev.shardkit.maintenance.concat;
    exports dev.shardkit.maintenance.convert;
    exports dev.shardkit.maintenance.copy;
    exports dev.shardkit.maintenance.layout;
    exports dev.shardkit.maintenance.relayout;
    exports dev.shardkit.maintenance.stats;
    exports dev.shardkit.maintenance.tree;
    exports dev.shardkit.maintenance.destination to
            dev.shardkit.cli,
            dev.shardkit.files,
            dev.shardkit.ome;
    exports dev.shardkit.maintenance.local to
            dev.shardkit.cli;
    exports dev.shardkit.maintenance.publish to
            dev.shardkit.cli,
            dev.shardkit.ome;
    exports dev.shardkit.maintenance.source to
            dev.shardkit.cli,
            dev.shardkit.files,
            dev.shardkit.ome;
    exports dev.shardkit.maintenance.chunks to
            dev.shardkit.files,
            dev.shardkit.ome,
            dev.shardkit.pictures,
            dev.shardkit.serve;
}
