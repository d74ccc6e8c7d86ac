package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Streams into Azure Blob Storage. */
@Tag("one-jdk")
class AzureStreamsTest extends CloudStreams {
    AzureStreamsTest() {
        super(Bucket::ofAzure);
    }
}
