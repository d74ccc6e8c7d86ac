package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Writers on the server of the tests for Google Cloud Storage. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class GcsWritersTest extends CloudWriters {
    GcsWritersTest() {
        super(Bucket::ofGoogle);
    }
}
