/** One-dimensional arrays as columns of Apache Arrow. */
module dev.shardkit.arrow {
    requires transitive dev.shardkit;
    requires transitive dev.shardkit.cf;
    requires transitive org.apache.arrow.memory.core;
    requires transitive org.apache.arrow.vector;

    exports dev.shardkit.arrow;
}
