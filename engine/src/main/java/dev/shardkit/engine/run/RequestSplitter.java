package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the requests of a near store into portions for several workers. Each portion has enough to decode that handing
 * it to another thread pays: inner chunks may be tiny, or compress to almost nothing. Answers of far stores are not cut
 * like this: if their reads of indexes ended one after another, the reads that follow would merge less.
 *
 * <p>There are at most two portions for each worker, each of at least 64 KiB or 32 reads.
 */
final class RequestSplitter {
    private static final long MIN_BYTES = 64 << 10;
    private static final int MIN_READS = 32;
    /** RequestSplitter for each worker, so that those that are quicker decode more of them. */
    private static final int EACH = 2;

    private RequestSplitter() {}

    /**
     * Cuts requests of a near store, if there are too few for all workers.
     *
     * @param queued the number of units that wait already
     */
    static List<MergedRead> of(List<MergedRead> requests, int queued, int workers) {
        int missing = EACH * workers - queued - requests.size();
        if (workers == 1 || missing <= 0) {
            return requests;
        }
        int reads = requests.stream().mapToInt(r -> r.tasks().size()).sum();
        List<MergedRead> out = new ArrayList<>();
        for (MergedRead request : requests) {
            int most = 1 + (int) ((long) missing * request.tasks().size() / reads);
            if (!(request.range() instanceof ByteRange.Slice)) {
                out.add(request);
                continue;
            }
            List<List<ReadTask>> portions = of(request.tasks(), most);
            portions.forEach(p -> out.add(portions.size() == 1 ? request : new MergedRead(request.key(), range(p), p)));
        }
        return out;
    }

    private static List<List<ReadTask>> of(List<ReadTask> tasks, int most) {
        long all = tasks.stream().mapToLong(RequestSplitter::size).sum();
        long bytes = Math.max(MIN_BYTES, all / most);
        int reads = Math.max(MIN_READS, tasks.size() / most);
        List<List<ReadTask>> portions = new ArrayList<>();
        int from = 0;
        while (from < tasks.size()) {
            int to = from;
            for (long n = 0; to < tasks.size() && n < bytes && to - from < reads; to++) {
                n += size(tasks.get(to));
            }
            portions.add(List.copyOf(tasks.subList(from, to)));
            from = to;
        }
        return portions;
    }

    private static long size(ReadTask task) {
        return DecodingUnits.size(task.request().range());
    }

    private static ByteRange range(List<ReadTask> tasks) {
        long start = Long.MAX_VALUE;
        long end = 0;
        for (ReadTask t : tasks) {
            ByteRange.Slice own = (ByteRange.Slice) t.request().range();
            start = Math.min(start, own.offset());
            end = Math.max(end, own.end());
        }
        return new ByteRange.Slice(start, end - start);
    }
}
