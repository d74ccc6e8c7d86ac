package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Streams into an S3 bucket. */
@Tag("one-jdk")
class S3StreamsTest extends CloudStreams {
    S3StreamsTest() {
        super(Bucket::ofS3);
    }
}
