package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers on the server of the tests for Google Cloud Storage. */
@Tag("one-jdk")
class GcsWritersTest extends CloudWriters {
    GcsWritersTest() {
        super(Bucket::ofGoogle);
    }

    /** S3's test does it in each run. */
    @Test
    @Tag("long")
    @Override
    void killedWriter_leavesOldOrNew() {
        super.killedWriter_leavesOldOrNew();
    }
}
