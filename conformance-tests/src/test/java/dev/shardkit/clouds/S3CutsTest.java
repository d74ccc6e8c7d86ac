package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Answers of the server of the tests for S3 that end after any byte. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class S3CutsTest extends CloudCuts {
    S3CutsTest() {
        super(Bucket::ofS3);
    }
}
