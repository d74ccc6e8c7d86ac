package dev.shardkit.engine;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges many reads into few requests: adjacent or nearly adjacent slices of one object, and identical requests (such
 * as for the index of a shard, by each of its inner chunks).
 */
final class Merger {
    private record Same(String key, ByteRange range) {}

    private Merger() {}

    static List<MergedRead> merge(List<ReadTask> reads, MergePolicy policy) {
        if (reads.size() == 1) {
            ReadTask only = reads.get(0);
            return List.of(new MergedRead(only.request().key(), only.request().range(), List.copyOf(reads)));
        }
        List<MergedRead> out = new ArrayList<>();
        List<ReadTask> slices = new ArrayList<>();
        Map<Same, List<ReadTask>> others = new LinkedHashMap<>();
        for (ReadTask r : reads) {
            if (r.request().range() instanceof ByteRange.Slice) {
                slices.add(r);
            } else {
                others.computeIfAbsent(new Same(r.request().key(), r.request().range()), s -> new ArrayList<>())
                        .add(r);
            }
        }
        others.forEach((same, tasks) -> out.add(new MergedRead(same.key(), same.range(), List.copyOf(tasks))));
        slices.sort(Comparator.<ReadTask, String>comparing(r -> r.request().key())
                .thenComparingLong(r -> slice(r).offset()));
        List<MergedRead> runs = new ArrayList<>();
        int from = 0;
        while (from < slices.size()) {
            from = mergeFrom(slices, from, policy, runs);
        }
        if (policy.widestGap() > policy.gap() && runs.size() > policy.parallel()) {
            runs = new Gaps(runs, policy).narrowestRead();
        }
        out.addAll(runs);
        return out;
    }

    private static int mergeFrom(List<ReadTask> slices, int from, MergePolicy policy, List<MergedRead> out) {
        String key = slices.get(from).request().key();
        long start = slice(slices.get(from)).offset();
        long end = slice(slices.get(from)).end();
        int to = from + 1;
        for (; to < slices.size() && slices.get(to).request().key().equals(key); to++) {
            ByteRange.Slice next = slice(slices.get(to));
            long merged = Math.max(end, next.end());
            boolean near = next.offset() <= end || next.offset() - end <= policy.gap();
            if (!near || (merged - start > policy.largest() && merged > end)) {
                break;
            }
            end = merged;
        }
        out.add(new MergedRead(key, new ByteRange.Slice(start, end - start), List.copyOf(slices.subList(from, to))));
        return to;
    }

    private static ByteRange.Slice slice(ReadTask task) {
        return (ByteRange.Slice) task.request().range();
    }
}
