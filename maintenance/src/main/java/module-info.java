/** What is done to stored arrays as a whole: verified, repaired, compacted, laid out anew, converted, copied. */
module dev.shardkit.maintenance {
    requires transitive dev.shardkit;

    exports dev.shardkit.maintenance;
}
