package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import java.util.Arrays;

/**
 * The intervals of one dimension that cover the selected indices of an axis, so that tiles without a selected index are
 * not read. Every tile in an interval contains a selected index. Tiles without a selected index lie between the
 * intervals. Ascending, immutable.
 */
public final class Segments {
    /** The begin and the end of each interval, one interval after the other. */
    private long[] bounds = new long[8];

    private int size;

    private Segments() {}

    /** Returns the intervals for the indices of an axis, which is dimension {@code d} of the tiling. */
    static Segments of(AxisRuns axis, Tiling tiling, int d) {
        Segments segments = new Segments();
        // the begin and the last selected index of the current interval; -1 before the first index
        long begin = -1;
        long last = -1;
        for (int i = 0; i < axis.count(); i++) {
            AxisRuns.Run run = axis.run(i);
            for (long number = 0; number < run.count(); ) { // of an index in the run, the first one in its tile
                long index = run.first() + number * run.step();
                if (begin < 0) {
                    begin = index;
                } else if (index > last + 1 && !areAdjacentTiles(last, index, tiling, d)) {
                    segments.add(begin, last + 1);
                    begin = index;
                }
                // Continues behind the last index of the run in this tile. A run with step 0 or 1 has no gaps, so all
                // its indices count as one tile.
                long next = run.step() <= 1 ? run.count() : run.below(tiling.endOfTile(d, index));
                last = run.first() + (next - 1) * run.step();
                number = next;
            }
        }
        if (begin >= 0) {
            segments.add(begin, last + 1);
        }
        return segments;
    }

    /** Returns whether two indices lie in the same tile or in neighbouring ones. */
    private static boolean areAdjacentTiles(long last, long index, Tiling tiling, int d) {
        long end = tiling.endOfTile(d, last);
        return index < end || index < tiling.endOfTile(d, end);
    }

    private void add(long begin, long end) {
        if (size + 2 > bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        bounds[size++] = begin;
        bounds[size++] = end;
    }

    /** Returns the number of intervals. */
    public int count() {
        return size / 2;
    }

    /** Returns the first index of interval {@code i}. */
    public long begin(long i) {
        return bounds[2 * (int) i];
    }

    /** Returns the end, exclusive, of interval {@code i}. */
    public long end(long i) {
        return bounds[2 * (int) i + 1];
    }

    /** Returns the box of one interval of each dimension, given the intervals' numbers. */
    static Box box(Segments[] axes, long[] numbers) {
        long[] origin = new long[numbers.length];
        long[] shape = new long[numbers.length];
        for (int d = 0; d < numbers.length; d++) {
            origin[d] = axes[d].begin(numbers[d]);
            shape[d] = axes[d].end(numbers[d]) - origin[d];
        }
        return Box.of(origin, shape);
    }
}
