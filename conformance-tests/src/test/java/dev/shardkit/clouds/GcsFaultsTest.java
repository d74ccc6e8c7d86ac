package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** A broken network before the server of the tests for Google Cloud Storage. */
@Tag("one-jdk")
class GcsFaultsTest extends CloudFaults {
    GcsFaultsTest() {
        super(Bucket::ofGoogle);
    }
}
