package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** A broken network before the server of the tests for Azure Blob Storage. */
@Tag("one-jdk")
class AzureFaultsTest extends CloudFaults {
    AzureFaultsTest() {
        super(Bucket::ofAzure);
    }
}
