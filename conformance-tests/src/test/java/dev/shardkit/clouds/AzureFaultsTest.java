package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** A broken network before the server of the tests for Azure Blob Storage. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class AzureFaultsTest extends CloudFaults {
    AzureFaultsTest() {
        super(Bucket::ofAzure);
    }
}
