package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** A broken network before the server of the tests for S3. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class S3FaultsTest extends CloudFaults {
    S3FaultsTest() {
        super(Bucket::ofS3);
    }
}
