package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import java.util.List;

/**
 * One request for bytes of an object and the neighbouring reads that it serves, ordered by offset. A request that
 * serves no reads fetches a whole object for {@link Downloads}, or one byte that shows the version of the object.
 */
record MergedRead(String key, ByteRange range, List<ReadTask> tasks) {
    /** Returns the request with some of its reads. */
    MergedRead withTasks(List<ReadTask> subset) {
        return new MergedRead(key, range, subset);
    }

    /** Returns whether this request is for a whole object, whose parts are read while it arrives. */
    boolean isDownload() {
        return tasks.isEmpty() && range instanceof ByteRange.Whole;
    }

    /** Returns the largest size of the object that any of its reads accepts. */
    long largest() {
        return tasks.stream().mapToLong(t -> t.request().maxObjectBytes()).max().orElse(Long.MAX_VALUE);
    }

    /** Returns the offset of {@code task} in the bytes of this request. */
    long offsetOf(ReadTask task) {
        if (!(task.request().range() instanceof ByteRange.Slice wanted)) {
            return 0;
        }
        return wanted.offset() - (range instanceof ByteRange.Slice merged ? merged.offset() : 0);
    }
}
