package dev.shardkit.clouds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers on the server of the tests for Azure Blob Storage. */
@Tag("one-jdk")
class AzureWritersTest extends CloudWriters {
    AzureWritersTest() {
        super(Bucket::ofAzure);
    }

    /** S3's test does it in each run. */
    @Test
    @Tag("long")
    @Override
    void killedWriter_leavesOldOrNew() {
        super.killedWriter_leavesOldOrNew();
    }
}
