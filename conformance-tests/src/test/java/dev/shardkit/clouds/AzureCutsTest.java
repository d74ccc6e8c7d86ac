package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Answers of the server of the tests for Azure that end after any byte. */
@Tag("one-jdk")
class AzureCutsTest extends CloudCuts {
    AzureCutsTest() {
        super(Bucket::ofAzure);
    }
}
