package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Writers on the server of the tests for Azure Blob Storage. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class AzureWritersTest extends CloudWriters {
    AzureWritersTest() {
        super(Bucket::ofAzure);
    }
}
