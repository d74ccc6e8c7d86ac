package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** A broken network before the server of the tests for S3. */
@Tag("one-jdk")
class S3FaultsTest extends CloudFaults {
    S3FaultsTest() {
        super(Bucket::ofS3);
    }
}
