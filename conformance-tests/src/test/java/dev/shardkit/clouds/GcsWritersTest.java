package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Writers on the server of the tests for Google Cloud Storage. */
@Tag("one-jdk")
class GcsWritersTest extends CloudWriters {
    GcsWritersTest() {
        super(Bucket::ofGoogle);
    }
}
