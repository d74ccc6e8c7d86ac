package dev.shardkit.clouds;

import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

/** Answers of the server of the tests for Google that end after any byte. */
@DisabledIfEnvironmentVariable(named = "SHARDKIT_TESTS", matches = "jvm")
class GcsCutsTest extends CloudCuts {
    GcsCutsTest() {
        super(Bucket::ofGoogle);
    }
}
