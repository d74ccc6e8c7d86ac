/** Elements of arrays as NDArrays of Multik. */
module dev.shardkit.multik {
    requires transitive dev.shardkit;
    requires transitive kotlin.stdlib;
    requires transitive multik.core.jvm;

    exports dev.shardkit.multik;
}
