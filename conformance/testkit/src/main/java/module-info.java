/** Contract suites for authors of plug-ins, and servers with faults. */
module dev.shardkit.testkit {
    requires transitive dev.shardkit.metadata;
    requires transitive dev.shardkit.transport;
    requires transitive org.junit.jupiter.api;
    requires jdk.httpserver;

    // JUnit calls the tests of the contracts.
    opens dev.shardkit.testkit.extension;
    opens dev.shardkit.testkit.store;
    opens dev.shardkit.testkit.transport;

    exports dev.shardkit.testkit;
    exports dev.shardkit.testkit.extension;
    exports dev.shardkit.testkit.server;
    exports dev.shardkit.testkit.store;
    exports dev.shardkit.testkit.transport;

    uses dev.shardkit.spi.ChunkGridFactory;
    uses dev.shardkit.spi.ChunkKeyEncodingFactory;
    uses dev.shardkit.spi.CodecFactory;
    uses dev.shardkit.spi.DataTypeFactory;
    uses dev.shardkit.spi.StorageTransformerFactory;
}
