package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import java.util.List;

/** Maps the selected elements of an array to their positions in the result of the selection. Immutable. */
final class ResultPositions {
    private final List<AxisRuns> axes;
    /** The dimensions of the array that the result has. */
    private final int[] kept;

    ResultPositions(List<AxisRuns> axes, int[] kept) {
        this.axes = axes;
        this.kept = kept;
    }

    /** Receives pieces: elements at equal distances whose places in the result form a box. */
    interface Action {
        /**
         * Receives one piece.
         *
         * @param first the position of its first element, counted from the origin of the visited box; in the order of
         *     the result
         * @param steps the distances of its elements in each dimension of the array; negative if they descend
         * @param places its box in the result
         */
        void piece(long[] first, long[] steps, Box places);
    }

    /** Passes the selected elements of a box of the array to {@code action}. */
    void each(Box box, Action action) {
        int rank = axes.size();
        new Walk(box, action, new long[rank], new long[rank], new long[rank], new long[rank]).from(0);
    }

    /** Returns how many elements of a box are selected. */
    long count(Box box) {
        long count = 1;
        for (int d = 0; d < axes.size() && count > 0; d++) {
            count *= axes.get(d).count(box.origin(d), box.end(d));
        }
        return count;
    }

    private final class Walk {
        private final Box box;
        private final Action action;
        private final long[] first;
        private final long[] steps;
        private final long[] position;
        private final long[] count;

        Walk(Box box, Action action, long[] first, long[] steps, long[] position, long[] count) {
            this.box = box;
            this.action = action;
            this.first = first;
            this.steps = steps;
            this.position = position;
            this.count = count;
        }

        void from(int d) {
            if (d == first.length) {
                action.piece(first, steps, Box.of(kept(position), kept(count)));
                return;
            }
            AxisRuns axis = axes.get(d);
            for (int i = axis.firstFrom(box.origin(d)); i < axis.count(); i++) {
                AxisRuns.Run run = axis.run(i);
                if (run.first() >= box.end(d)) {
                    return;
                }
                if (enter(d, run)) {
                    from(d + 1);
                }
            }
        }

        /** Clips a run to the box; false if nothing is left. */
        private boolean enter(int d, AxisRuns.Run run) {
            long from = run.below(box.origin(d));
            long end = run.below(box.end(d));
            long begin = run.direction() > 0 ? from : end - 1;
            first[d] = run.first() + begin * run.step() - box.origin(d);
            steps[d] = run.step() * run.direction();
            position[d] = run.position() + begin * run.direction();
            count[d] = end - from;
            return end > from;
        }

        private long[] kept(long[] of) {
            long[] some = new long[kept.length];
            for (int i = 0; i < some.length; i++) {
                some[i] = of[kept[i]];
            }
            return some;
        }
    }

    /** Returns the strides of a piece, in the dimensions of the result. */
    long[] strides(long[] steps, long[] strides) {
        long[] some = new long[kept.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = steps[kept[i]] * strides[kept[i]];
        }
        return some;
    }

    /** Returns the index of the first element of a piece. */
    static long offset(long[] first, long offset, long[] strides) {
        long at = offset;
        for (int d = 0; d < first.length; d++) {
            at += first[d] * strides[d];
        }
        return at;
    }
}
