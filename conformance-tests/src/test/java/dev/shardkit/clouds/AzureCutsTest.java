package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Answers of the server of the tests for Azure that end after any byte. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class AzureCutsTest extends CloudCuts {
    AzureCutsTest() {
        super(Bucket::ofAzure);
    }
}
