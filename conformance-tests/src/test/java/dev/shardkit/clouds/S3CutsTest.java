package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Answers of the server of the tests for S3 that end after any byte. */
@Tag("one-jdk")
class S3CutsTest extends CloudCuts {
    S3CutsTest() {
        super(Bucket::ofS3);
    }
}
