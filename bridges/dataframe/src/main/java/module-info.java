/** One-dimensional arrays as columns of a Kotlin DataFrame. */
module dev.shardkit.dataframe {
    requires transitive dev.shardkit;
    requires transitive dev.shardkit.cf;
    requires transitive kotlin.stdlib;
    requires transitive dataframe.core;

    exports dev.shardkit.dataframe;
}
