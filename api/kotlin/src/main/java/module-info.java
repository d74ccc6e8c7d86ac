/** Sharded Zarr v3 arrays for Kotlin. */
module dev.shardkit.kotlin {
    requires transitive dev.shardkit;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    // optional: for the packages dev.shardkit.kotlin.cf and dev.shardkit.kotlin.ome
    requires static dev.shardkit.cf;
    requires static dev.shardkit.ome;
    requires dev.shardkit.engine;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.kotlin;

    exports dev.shardkit.kotlin;
    exports dev.shardkit.kotlin.cf;
    exports dev.shardkit.kotlin.ome;

    provides dev.shardkit.attributes.AttributeMapperExtension with
            dev.shardkit.kotlin.KotlinAttributes;
}
