/** The CF conventions: physical values, times of all calendars, selection by coordinates. */
module dev.shardkit.cf {
    requires transitive dev.shardkit;

    exports dev.shardkit.cf;
    exports dev.shardkit.cf.geo;
}
