package dev.shardkit.engine;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import java.util.List;

/**
 * The reads of a request that are decoded from the beginning of its answer, while the rest arrives. Not thread-safe:
 * guarded by its user.
 */
final class EarlyReads {
    /** A shorter answer is here before a worker would be. */
    private static final long LEAST_BYTES = 512L << 10;

    private final MergedRead merged;
    private int taken;
    private boolean ended;

    EarlyReads(MergedRead merged) {
        this.merged = merged;
    }

    /** Whether the reads of a request can be decoded separately, and its answer is long enough. */
    static boolean pay(MergedRead merged) {
        return merged.tasks().size() > 1
                && merged.range() instanceof ByteRange.Slice all
                && all.length() >= LEAST_BYTES;
    }

    /**
     * Takes the reads that the first {@code bytes} bytes of the answer complete. The last read is never among them: no
     * plan ends, and no memory is given back, before the answer is complete and checked.
     */
    List<ReadTask> take(long bytes) {
        int first = taken;
        List<ReadTask> tasks = merged.tasks();
        while (!ended && taken < tasks.size() - 1 && end(tasks.get(taken)) <= bytes) {
            taken++;
        }
        return tasks.subList(first, taken);
    }

    private long end(ReadTask task) {
        return merged.offsetOf(task) + ((ByteRange.Slice) task.request().range()).length();
    }

    /** Takes nothing any more, and returns the request with the reads that were not taken. */
    MergedRead left() {
        ended = true;
        return taken == 0
                ? merged
                : merged.with(merged.tasks().subList(taken, merged.tasks().size()));
    }
}
