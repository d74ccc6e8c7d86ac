package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges many reads into few requests: reads of slices of one object that are adjacent or nearly so, and identical
 * reads, such as those of a shard's index for each of its inner chunks.
 */
final class RequestMerger {
    /** The key and range of identical reads. */
    private record Same(String key, ByteRange range) {}

    private RequestMerger() {}

    /** Returns the requests for these reads. */
    static List<MergedRead> merge(List<ReadTask> reads, MergePolicy policy) {
        if (reads.size() == 1) {
            ReadTask single = reads.get(0);
            return List.of(
                    new MergedRead(single.request().key(), single.request().range(), List.copyOf(reads)));
        }
        List<MergedRead> out = new ArrayList<>();
        List<ReadTask> slices = new ArrayList<>();
        Map<Same, List<ReadTask>> identical = new LinkedHashMap<>();
        for (ReadTask read : reads) {
            if (read.request().range() instanceof ByteRange.Slice) {
                slices.add(read);
            } else {
                identical
                        .computeIfAbsent(
                                new Same(read.request().key(), read.request().range()), s -> new ArrayList<>())
                        .add(read);
            }
        }
        identical.forEach(
                (request, tasks) -> out.add(new MergedRead(request.key(), request.range(), List.copyOf(tasks))));
        slices.sort(Comparator.<ReadTask, String>comparing(r -> r.request().key())
                .thenComparingLong(r -> slice(r).offset()));
        List<MergedRead> runs = new ArrayList<>(); // requests for slices, each a run of near slices
        int start = 0;
        while (start < slices.size()) {
            start = mergeFrom(slices, start, policy, runs);
        }
        if (policy.widestGap() > policy.gap() && runs.size() > policy.parallel()) {
            runs = new Gaps(runs, policy).narrowestRead();
        }
        out.addAll(runs);
        return out;
    }

    /**
     * Merges the slice at index {@code first} and those after it into one request, as long as the gaps are narrow and
     * the request does not grow too large.
     *
     * @param slices the slices in the order of keys and offsets
     * @return the index of the first slice after the request
     */
    private static int mergeFrom(List<ReadTask> slices, int first, MergePolicy policy, List<MergedRead> out) {
        String key = slices.get(first).request().key();
        long start = slice(slices.get(first)).offset();
        long end = slice(slices.get(first)).end();
        int index = first + 1;
        for (; index < slices.size() && slices.get(index).request().key().equals(key); index++) {
            ByteRange.Slice next = slice(slices.get(index));
            long merged = Math.max(end, next.end());
            boolean isNear = next.offset() <= end || next.offset() - end <= policy.gap();
            // a slice inside the request does not make the request larger, so it never ends the request
            if (!isNear || (merged - start > policy.largest() && merged > end)) {
                break;
            }
            end = merged;
        }
        out.add(new MergedRead(
                key, new ByteRange.Slice(start, end - start), List.copyOf(slices.subList(first, index))));
        return index;
    }

    private static ByteRange.Slice slice(ReadTask task) {
        return (ByteRange.Slice) task.request().range();
    }

    /**
     * Joins requests for slices ("runs") if there are more of them than may be sent at once. A joined request also
     * reads the gap between its slices; the narrowest gaps are joined first. Used by one thread, for one merging.
     */
    private static final class Gaps {
        private final List<MergedRead> runs;
        private final MergePolicy policy;
        /** A group is a range of joined runs. For its first run, the index of its last run, and vice versa. */
        private final int[] otherEnd;
        /** Whether a run is joined to the next one. */
        private final boolean[] joined;

        /** Prepares to join {@code runs}, requests in the order of keys and offsets. */
        Gaps(List<MergedRead> runs, MergePolicy policy) {
            this.runs = runs;
            this.policy = policy;
            this.otherEnd = new int[runs.size()];
            this.joined = new boolean[runs.size()];
            for (int i = 0; i < otherEnd.length; i++) {
                otherEnd[i] = i;
            }
        }

        /** Joins requests until few enough remain, or no gap is narrow enough. Returns the remaining ones. */
        List<MergedRead> narrowestRead() {
            List<Integer> gaps = new ArrayList<>();
            for (int i = 0; i + 1 < runs.size(); i++) {
                if (runs.get(i).key().equals(runs.get(i + 1).key()) && width(i) <= policy.widestGap()) {
                    gaps.add(i);
                }
            }
            gaps.sort(Comparator.comparingLong(this::width));
            int remaining = runs.size();
            for (int i = 0; i < gaps.size() && remaining > policy.parallel(); i++) {
                if (join(gaps.get(i))) {
                    remaining--;
                }
            }
            return groups(remaining);
        }

        private static ByteRange.Slice slice(MergedRead run) {
            return (ByteRange.Slice) run.range();
        }

        /** Returns the width of the gap between request {@code i} and the next one. */
        private long width(int i) {
            return slice(runs.get(i + 1)).offset() - slice(runs.get(i)).end();
        }

        /**
         * Joins the groups of request {@code i} and of the next one. Returns false if the result would be too large.
         */
        private boolean join(int i) {
            int first = otherEnd[i];
            int last = otherEnd[i + 1];
            if (slice(runs.get(last)).end() - slice(runs.get(first)).offset() > policy.largest()) {
                return false;
            }
            joined[i] = true;
            otherEnd[first] = last;
            otherEnd[last] = first;
            return true;
        }

        /** Returns one request for each group. */
        private List<MergedRead> groups(int count) {
            List<MergedRead> out = new ArrayList<>(count);
            for (int first = 0; first < runs.size(); first = otherEnd[first] + 1) {
                MergedRead head = runs.get(first);
                if (!joined[first]) {
                    out.add(head);
                    continue;
                }
                List<ReadTask> tasks = new ArrayList<>();
                for (MergedRead run : runs.subList(first, otherEnd[first] + 1)) {
                    tasks.addAll(run.tasks());
                }
                long start = slice(head).offset();
                long end = slice(runs.get(otherEnd[first])).end();
                out.add(new MergedRead(head.key(), new ByteRange.Slice(start, end - start), List.copyOf(tasks)));
            }
            return out;
        }
    }
}
