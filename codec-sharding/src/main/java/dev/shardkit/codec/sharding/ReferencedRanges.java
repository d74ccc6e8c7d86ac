package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The byte ranges of a shard that its index refers to. The entries must have been checked. Immutable. */
final class ReferencedRanges {
    /**
     * The starts of the ranges, sorted separately from their ends: a gap is where the next start lies after the end of
     * all earlier ranges.
     */
    private final long[] starts;

    private final long[] ends;

    private ReferencedRanges(long[] starts, long[] ends) {
        this.starts = starts;
        this.ends = ends;
    }

    /** Returns the ranges of index entries: the offset and the size of each inner chunk in turn. */
    static ReferencedRanges of(long[] entries) {
        long[] starts = new long[entries.length / 2];
        long[] ends = new long[entries.length / 2];
        int count = 0;
        for (int i = 0; i < entries.length; i += 2) {
            if (entries[i] != ShardIndex.NONE && entries[i + 1] > 0) {
                starts[count] = entries[i];
                ends[count++] = entries[i] + entries[i + 1];
            }
        }
        starts = Arrays.copyOf(starts, count);
        ends = Arrays.copyOf(ends, count);
        Arrays.sort(starts);
        Arrays.sort(ends);
        return new ReferencedRanges(starts, ends);
    }

    /** Returns whether the index refers to no bytes. */
    boolean isEmpty() {
        return starts.length == 0;
    }

    /** Returns the first byte, or {@code fallback} if there are no ranges. */
    long first(long fallback) {
        return isEmpty() ? fallback : starts[0];
    }

    /** Returns the end of the last range, or {@code fallback} if there are no ranges. */
    long end(long fallback) {
        return isEmpty() ? fallback : ends[ends.length - 1];
    }

    /** Returns the start of the first inner chunk at or after {@code offset}, or {@code fallback} if there is none. */
    long next(long offset, long fallback) {
        int found = Arrays.binarySearch(starts, offset);
        int index = found >= 0 ? found : -found - 1;
        return index < starts.length ? starts[index] : fallback;
    }

    /** Returns the number of bytes in the ranges, each counted once. */
    long byteCount() {
        long sum = 0;
        for (Extent gap : gaps(first(0), end(0))) {
            sum -= gap.size();
        }
        return sum + end(0) - first(0);
    }

    /** Returns the gaps between {@code begin} and {@code end}, which must enclose all ranges. */
    List<Extent> gaps(long begin, long end) {
        List<Extent> gaps = new ArrayList<>();
        long position = begin;
        for (int i = 0; i < starts.length; i++) {
            add(gaps, position, starts[i]);
            position = ends[i];
        }
        add(gaps, position, end);
        return gaps;
    }

    private static void add(List<Extent> gaps, long begin, long end) {
        if (end > begin) {
            gaps.add(new Extent(begin, end - begin));
        }
    }
}
