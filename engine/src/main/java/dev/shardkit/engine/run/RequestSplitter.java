package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the requests of a local store into portions for several workers: about two portions for each worker. Inner
 * chunks may be tiny, or compress to almost nothing, so each portion has at least 64 KiB or 32 reads. Handing less work
 * to another thread would cost more than it saves.
 *
 * <p>Answers of remote stores are not cut in this way. Reads of shard indexes would then end one after another, and
 * fewer of the reads that follow them could be merged.
 */
final class RequestSplitter {
    /** A portion is complete when it has this number of encoded bytes. */
    private static final long MIN_BYTES = 64 << 10;
    /** A portion is also complete when it has this number of reads. */
    private static final int MIN_READS = 32;
    /** The number of portions for each worker: more than one, so that quicker workers decode more portions. */
    private static final int PORTIONS_PER_WORKER = 2;

    private RequestSplitter() {}

    /**
     * Cuts requests of a local store, if there are too few for all workers.
     *
     * @param queued the number of units that wait already
     */
    static List<MergedRead> split(List<MergedRead> requests, int queued, int workers) {
        int missing = PORTIONS_PER_WORKER * workers - queued - requests.size();
        if (workers == 1 || missing <= 0) {
            return requests;
        }
        int totalReads = requests.stream().mapToInt(r -> r.tasks().size()).sum();
        List<MergedRead> out = new ArrayList<>();
        for (MergedRead request : requests) {
            int maxPortions = 1 + (int) ((long) missing * request.tasks().size() / totalReads);
            if (!(request.range() instanceof ByteRange.Slice)) {
                out.add(request);
                continue;
            }
            List<List<ReadTask>> portions = split(request.tasks(), maxPortions);
            portions.forEach(p -> out.add(portions.size() == 1 ? request : new MergedRead(request.key(), range(p), p)));
        }
        return out;
    }

    /**
     * Divides the reads of one request into about {@code maxPortions} portions of neighbours, fewer if these were
     * small.
     */
    private static List<List<ReadTask>> split(List<ReadTask> tasks, int maxPortions) {
        long totalBytes = tasks.stream().mapToLong(RequestSplitter::size).sum();
        long minBytes = Math.max(MIN_BYTES, totalBytes / maxPortions);
        int minReads = Math.max(MIN_READS, tasks.size() / maxPortions);
        List<List<ReadTask>> portions = new ArrayList<>();
        int start = 0;
        while (start < tasks.size()) {
            int end = start;
            for (long portionBytes = 0;
                    end < tasks.size() && portionBytes < minBytes && end - start < minReads;
                    end++) {
                portionBytes += size(tasks.get(end));
            }
            portions.add(List.copyOf(tasks.subList(start, end)));
            start = end;
        }
        return portions;
    }

    private static long size(ReadTask task) {
        return DecodingUnits.size(task.request().range());
    }

    /** Returns the smallest range that contains these slices. */
    private static ByteRange range(List<ReadTask> tasks) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (ReadTask t : tasks) {
            ByteRange.Slice slice = (ByteRange.Slice) t.request().range();
            start = Math.min(start, slice.offset());
            end = Math.max(end, slice.end());
        }
        return new ByteRange.Slice(start, end - start);
    }
}
