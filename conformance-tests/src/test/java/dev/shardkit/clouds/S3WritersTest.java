package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Writers on the server of the tests for S3. {@code tools/s3-race.sh} does the same at length. */
@Tag("one-jdk")
class S3WritersTest extends CloudWriters {
    S3WritersTest() {
        super(Bucket::ofS3);
    }
}
