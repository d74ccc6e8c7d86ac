package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Streams into Google Cloud Storage. */
@Tag("one-jdk")
class GcsStreamsTest extends CloudStreams {
    GcsStreamsTest() {
        super(Bucket::ofGoogle);
    }
}
