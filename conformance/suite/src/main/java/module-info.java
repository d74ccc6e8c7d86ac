/** The conformance runner. It knows no Zarr implementation. */
module dev.shardkit.conformance {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.databind;
    requires java.xml;

    exports dev.shardkit.conformance;
}
