package dev.shardkit.engine;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.PlanRun.ReadTask;
import dev.shardkit.store.MergePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The gaps between requests for slices. If there would be more requests than the limit, the narrowest gaps are read
 * too. Used by one thread, for one merging.
 */
final class Gaps {
    private final List<MergedRead> runs;
    private final MergePolicy policy;
    /** For the first run of a group its last one, and vice versa. */
    private final int[] otherEnd;
    /** Whether a run is joined to the next one. */
    private final boolean[] joined;

    /** The gaps between {@code runs}, in the order of keys and offsets. */
    Gaps(List<MergedRead> runs, MergePolicy policy) {
        this.runs = runs;
        this.policy = policy;
        this.otherEnd = new int[runs.size()];
        this.joined = new boolean[runs.size()];
        for (int i = 0; i < otherEnd.length; i++) {
            otherEnd[i] = i;
        }
    }

    /** Returns the remaining requests. */
    List<MergedRead> narrowestRead() {
        List<Integer> gaps = new ArrayList<>();
        for (int i = 0; i + 1 < runs.size(); i++) {
            if (runs.get(i).key().equals(runs.get(i + 1).key()) && width(i) <= policy.widestGap()) {
                gaps.add(i);
            }
        }
        gaps.sort(Comparator.comparingLong(this::width));
        int left = runs.size();
        for (int i = 0; i < gaps.size() && left > policy.parallel(); i++) {
            if (join(gaps.get(i))) {
                left--;
            }
        }
        return groups(left);
    }

    private static ByteRange.Slice slice(MergedRead run) {
        return (ByteRange.Slice) run.range();
    }

    private long width(int i) {
        return slice(runs.get(i + 1)).offset() - slice(runs.get(i)).end();
    }

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
