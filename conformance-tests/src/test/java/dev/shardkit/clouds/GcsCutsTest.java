package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;

/** Answers of the server of the tests for Google that end after any byte. */
@Tag("one-jdk")
class GcsCutsTest extends CloudCuts {
    GcsCutsTest() {
        super(Bucket::ofGoogle);
    }
}
