package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import java.util.List;

/** Maps the selected elements of an array to their positions in the result of the selection. Immutable. */
final class ResultPositions {
    private final List<AxisRuns> axes;
    /** For each dimension of the result, the dimension of the array. */
    private final int[] resultDimensions;

    ResultPositions(List<AxisRuns> axes, int[] resultDimensions) {
        this.axes = axes;
        this.resultDimensions = resultDimensions;
    }

    /** Receives pieces: elements at equal distances whose positions in the result form a box. */
    interface Action {
        /**
         * Receives one piece.
         *
         * @param first the position of its first element (in the order of the result), counted from the origin of the
         *     visited box
         * @param steps the distances of its elements in each dimension of the array; negative if they descend
         * @param resultBox its box in the result
         */
        void piece(long[] first, long[] steps, Box resultBox);
    }

    /** Passes the selected elements of a box of the array to {@code action}. */
    void each(Box box, Action action) {
        new Visit(box, action).visit(0);
    }

    /** Returns how many elements of a box are selected. */
    long count(Box box) {
        long count = 1;
        for (int d = 0; d < axes.size() && count > 0; d++) {
            count *= axes.get(d).count(box.origin(d), box.end(d));
        }
        return count;
    }

    /** A visit of all combinations of runs, one run for each dimension, that intersect a box. */
    private final class Visit {
        private final Box box;
        private final Action action;
        /** The first element and the steps of the current piece, as {@link Action#piece} receives them. */
        private final long[] first = new long[axes.size()];

        private final long[] steps = new long[axes.size()];
        /** The origin and the shape of the piece in the result, also in dimensions that the result leaves out. */
        private final long[] position = new long[axes.size()];

        private final long[] count = new long[axes.size()];

        Visit(Box box, Action action) {
            this.box = box;
            this.action = action;
        }

        /** Visits the runs of dimension {@code d} and of the dimensions after it. */
        void visit(int d) {
            if (d == first.length) {
                action.piece(first, steps, Box.of(resultOnly(position), resultOnly(count)));
                return;
            }
            AxisRuns axis = axes.get(d);
            for (int i = axis.firstFrom(box.origin(d)); i < axis.count(); i++) {
                AxisRuns.Run run = axis.run(i);
                if (run.first() >= box.end(d)) {
                    return;
                }
                if (clip(d, run)) {
                    visit(d + 1);
                }
            }
        }

        /**
         * Sets the piece in dimension {@code d} to the part of a run inside the box. Returns false if there is none.
         */
        private boolean clip(int d, AxisRuns.Run run) {
            long skipped = run.below(box.origin(d));
            long end = run.below(box.end(d));
            long begin = run.direction() > 0 ? skipped : end - 1;
            first[d] = run.first() + begin * run.step() - box.origin(d);
            steps[d] = run.step() * run.direction();
            position[d] = run.position() + begin * run.direction();
            count[d] = end - skipped;
            return end > skipped;
        }

        /** Returns the values of the dimensions that the result has. */
        private long[] resultOnly(long[] values) {
            long[] selected = new long[resultDimensions.length];
            for (int i = 0; i < selected.length; i++) {
                selected[i] = values[resultDimensions[i]];
            }
            return selected;
        }
    }

    /**
     * Returns the strides of a piece in the dimensions of the result.
     *
     * @param strides the strides of the elements in the dimensions of the array
     */
    long[] strides(long[] steps, long[] strides) {
        long[] selected = new long[resultDimensions.length];
        for (int i = 0; i < selected.length; i++) {
            selected[i] = steps[resultDimensions[i]] * strides[resultDimensions[i]];
        }
        return selected;
    }

    /**
     * Returns the index of the first element of a piece.
     *
     * @param offset the index of the first element of the visited box
     */
    static long offset(long[] first, long offset, long[] strides) {
        long index = offset;
        for (int d = 0; d < first.length; d++) {
            index += first[d] * strides[d];
        }
        return index;
    }
}
