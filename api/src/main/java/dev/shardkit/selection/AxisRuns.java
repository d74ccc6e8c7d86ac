package dev.shardkit.selection;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The indices of an {@link AxisSelection} in ascending order, divided into runs of indices at equal distances, so that
 * long rows of elements are copied at once. No run begins before the previous one ends. Immutable.
 */
final class AxisRuns {
    private final Run[] runs;

    private AxisRuns(Run[] runs) {
        this.runs = runs;
    }

    /**
     * Indices at equal distances and their positions in the result.
     *
     * @param first the least index
     * @param step the distance of the indices, not negative
     * @param count how many indices there are
     * @param position the position of the least index
     * @param direction 1 if positions ascend with the indices, -1 if they descend
     */
    record Run(long first, long step, long count, long position, int direction) {
        /** Returns the greatest index. */
        long last() {
            return first + (count - 1) * step;
        }

        /** Returns how many indices are below {@code limit}. */
        long below(long limit) {
            if (limit <= first) {
                return 0;
            }
            return step == 0 || limit > last() ? count : (limit - 1 - first) / step + 1;
        }
    }

    /** Which positions are used for an index that a selection contains more than once. */
    enum Repeats {
        /** All positions, for reads. */
        ALL,
        /** The last position, for writes. */
        LAST
    }

    /** Returns the runs of a selection. */
    static AxisRuns of(AxisSelection axis, Repeats repeats) {
        if (axis.count() == 0) {
            return new AxisRuns(new Run[0]);
        } else if (axis instanceof AxisSelection.Steps s) {
            return new AxisRuns(new Run[] {
                s.step() > 0
                        ? new Run(s.first(), s.step(), s.count(), 0, 1)
                        : new Run(s.index(s.count() - 1), -s.step(), s.count(), s.count() - 1, -1)
            });
        }
        return new AxisRuns(runs(((AxisSelection.Listed) axis).indices, repeats));
    }

    /** Divides a list of indices into runs. */
    private static Run[] runs(long[] indices, Repeats repeats) {
        int[] order = order(indices, repeats);
        Run[] runs = new Run[order.length];
        int count = 0;
        for (int i = 0; i < order.length; ) {
            int end = i + 1;
            // a run goes on while the positions change by one, always in this direction, and the indices by one step
            int direction = end < order.length ? order[end] - order[i] : 1;
            if (end < order.length && Math.abs(direction) == 1) {
                long step = indices[order[end]] - indices[order[i]];
                while (end < order.length
                        && order[end] - order[end - 1] == direction
                        && indices[order[end]] - indices[order[end - 1]] == step) {
                    end++;
                }
                runs[count++] = new Run(indices[order[i]], step, end - i, order[i], direction);
            } else {
                runs[count++] = new Run(indices[order[i]], 1, 1, order[i], 1);
            }
            i = end;
        }
        return Arrays.copyOf(runs, count);
    }

    /** Returns the positions of a list, ordered by index and then by position. */
    private static int[] order(long[] indices, Repeats repeats) {
        int[] order = IntStream.range(0, indices.length).toArray();
        boolean ascending = true;
        for (int i = 1; i < indices.length && ascending; i++) {
            ascending = indices[i] > indices[i - 1];
        }
        if (ascending) {
            return order;
        }
        order = IntStream.of(order)
                .boxed()
                .sorted((a, b) -> Long.compare(indices[a], indices[b])) // stable: equal indices stay in order
                .mapToInt(Integer::intValue)
                .toArray();
        if (repeats == Repeats.ALL) {
            return order;
        }
        int count = 0;
        for (int i = 0; i < order.length; i++) {
            if (i + 1 == order.length || indices[order[i]] != indices[order[i + 1]]) {
                order[count++] = order[i];
            }
        }
        return Arrays.copyOf(order, count);
    }

    int count() {
        return runs.length;
    }

    Run run(int i) {
        return runs[i];
    }

    /** Returns the number of the first run with an index of at least {@code begin}. */
    int firstFrom(long begin) {
        int low = 0;
        int high = runs.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (runs[middle].last() < begin) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns how many positions have an index from {@code begin} to {@code end}, exclusive. */
    long count(long begin, long end) {
        long count = 0;
        for (int i = firstFrom(begin); i < runs.length && runs[i].first() < end; i++) {
            count += runs[i].below(end) - runs[i].below(begin);
        }
        return count;
    }
}
