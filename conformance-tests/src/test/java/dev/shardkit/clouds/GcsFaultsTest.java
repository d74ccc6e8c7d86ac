package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** A broken network before the server of the tests for Google Cloud Storage. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class GcsFaultsTest extends CloudFaults {
    GcsFaultsTest() {
        super(Bucket::ofGoogle);
    }
}
