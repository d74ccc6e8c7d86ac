/** The conformance runner, which tests any implementation of Zarr through its command line. */
module dev.shardkit.conformance {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.databind;
    requires java.xml;

    exports dev.shardkit.conformance;
}
