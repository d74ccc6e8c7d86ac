/** Metrics of reads and writes in a Micrometer registry. */
module dev.shardkit.micrometer {
    requires transitive dev.shardkit.engine;
    requires transitive micrometer.core;

    exports dev.shardkit.micrometer;
}
