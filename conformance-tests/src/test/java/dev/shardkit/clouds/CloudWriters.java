package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.testing.Child;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Writers in several processes change one shard of a bucket. */
@Timeout(240)
abstract class CloudWriters {
    private final Bucket bucket;

    CloudWriters(Supplier<Bucket> bucket) {
        this.bucket = bucket.get();
    }

    @Test
    void updatesOfTwoProcesses_areAllKept() {
        assertEquals(0, RaceMain.race(bucket, 2, 20), "lost updates");
    }

    /** A killed writer leaves the old shard or the new one, and the next writer continues. */
    @Test
    void killedWriter_leavesOldOrNew() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int updates = 60; // more than a writer confirms before it is killed
        bucket.create(1, updates);
        for (int round = 0; round < 2; round++) {
            int confirmed = 0;
            try (Child writer = RaceMain.start(bucket, 0, updates)) {
                int until = 1 + random.nextInt(40);
                for (Optional<String> line = writer.line(); line.isPresent(); line = writer.line()) {
                    if (++confirmed == until) {
                        writer.kill(); // what it has said can still be read
                    }
                }
            }
            int lost = bucket.lost(1, updates);
            assertTrue(lost <= updates - confirmed, confirmed + " updates were confirmed, " + lost + " are not there");
        }
        bucket.update(0, updates, () -> {});
        assertEquals(0, bucket.lost(1, updates));
    }
}
