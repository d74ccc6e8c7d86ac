/** Sharded Zarr v3 arrays for Java. */
@SuppressWarnings("module") // some packages are exported to modules that are compiled later
module dev.shardkit {
    requires transitive dev.shardkit.engine;
    requires transitive dev.shardkit.metadata;
    requires transitive dev.shardkit.spi;
    requires com.fasterxml.jackson.core;
    // Optional: maps attributes to objects of Java classes.
    requires static com.fasterxml.jackson.annotation;
    requires static com.fasterxml.jackson.databind;

    exports dev.shardkit;
    exports dev.shardkit.slices;
    exports dev.shardkit.attributes to
            dev.shardkit.kotlin;
    exports dev.shardkit.javaarray to
            dev.shardkit.kotlin,
            dev.shardkit.maintenance;
    exports dev.shardkit.presence to
            dev.shardkit.maintenance;
    exports dev.shardkit.region to
            dev.shardkit.maintenance;
    exports dev.shardkit.region.box to
            dev.shardkit.maintenance;
    exports dev.shardkit.region.feed to
            dev.shardkit.maintenance;
    exports dev.shardkit.region.read to
            dev.shardkit.maintenance;
    exports dev.shardkit.region.resize to
            dev.shardkit.maintenance;
    exports dev.shardkit.region.write to
            dev.shardkit.maintenance;
    exports dev.shardkit.selection to
            dev.shardkit.maintenance;
    exports dev.shardkit.session to
            dev.shardkit.maintenance;
    exports dev.shardkit.session.creation to
            dev.shardkit.maintenance;
    exports dev.shardkit.session.consolidated to
            dev.shardkit.maintenance;
    exports dev.shardkit.session.diagnosis to
            dev.shardkit.maintenance;
    exports dev.shardkit.session.publication to
            dev.shardkit.maintenance;
    exports dev.shardkit.session.search to
            dev.shardkit.maintenance;

    uses dev.shardkit.attributes.AttributeMapperExtension;
}
