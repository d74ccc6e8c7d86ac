package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Writers on the server of the tests for Azure Blob Storage. */
@Tag("one-jdk")
class AzureWritersTest extends CloudWriters {
    AzureWritersTest() {
        super(Bucket::ofAzure);
    }
}
