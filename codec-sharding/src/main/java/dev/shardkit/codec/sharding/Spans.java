package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which bytes of a shard its index names. Entries must have been checked. Immutable. */
final class Spans {
    /** Ascending, each by itself: where the next begins behind the end of as many as have begun, there is a gap. */
    private final long[] starts;

    private final long[] ends;

    private Spans(long[] starts, long[] ends) {
        this.starts = starts;
        this.ends = ends;
    }

    /** What these entries, offset and size of each inner chunk in turn, name. */
    static Spans of(long[] entries) {
        long[] starts = new long[entries.length / 2];
        long[] ends = new long[entries.length / 2];
        int n = 0;
        for (int i = 0; i < entries.length; i += 2) {
            if (entries[i] != ShardIndex.NONE && entries[i + 1] > 0) {
                starts[n] = entries[i];
                ends[n++] = entries[i] + entries[i + 1];
            }
        }
        starts = Arrays.copyOf(starts, n);
        ends = Arrays.copyOf(ends, n);
        Arrays.sort(starts);
        Arrays.sort(ends);
        return new Spans(starts, ends);
    }

    /** Whether no byte is named. */
    boolean isEmpty() {
        return starts.length == 0;
    }

    /** The first byte named, or {@code other} if there is none. */
    long first(long other) {
        return isEmpty() ? other : starts[0];
    }

    /** The first byte behind all that is named, or {@code other} if nothing is. */
    long end(long other) {
        return isEmpty() ? other : ends[ends.length - 1];
    }

    /** Where the first inner chunk from {@code at} on begins, or {@code other} if none does. */
    long next(long at, long other) {
        int found = Arrays.binarySearch(starts, at);
        int next = found >= 0 ? found : -found - 1;
        return next < starts.length ? starts[next] : other;
    }

    /** How many bytes are named. */
    long named() {
        long sum = 0;
        for (Extent gap : gaps(first(0), end(0))) {
            sum -= gap.size();
        }
        return sum + end(0) - first(0);
    }

    /** What is not named, from {@code from} to {@code to}, between which all lies that is named. */
    List<Extent> gaps(long from, long to) {
        List<Extent> gaps = new ArrayList<>();
        long at = from;
        for (int i = 0; i < starts.length; i++) {
            add(gaps, at, starts[i]);
            at = ends[i];
        }
        add(gaps, at, to);
        return gaps;
    }

    private static void add(List<Extent> gaps, long from, long to) {
        if (to > from) {
            gaps.add(new Extent(from, to - from));
        }
    }
}
