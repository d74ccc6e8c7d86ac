package dev.shardkit.region.selection;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.selection.Segments;
import dev.shardkit.selection.Selection;
import dev.shardkit.selection.Tiling;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * The cells of the chunk grid that an orthogonal selection touches: all combinations of the touched cell indices of
 * each dimension. Immutable.
 */
final class SelectedCells {
    /** For each dimension and interval of touched cells, the first cell. */
    private final long[][] first;
    /** For each dimension and interval, the number of touched cells in all earlier intervals. */
    private final long[][] before;
    /** The number of touched cells of each dimension. */
    private final long[] counts;

    SelectedCells(Selection selection, ChunkPlans chunks) {
        int rank = chunks.metadata().rank();
        first = new long[rank][];
        before = new long[rank][];
        counts = new long[rank];
        Tiling stored = ArrayTiling.stored(chunks);
        for (int d = 0; d < rank; d++) {
            enter(d, selection.segments(d, stored), chunks);
        }
    }

    /** Computes the intervals of touched cells in dimension {@code d}. */
    private void enter(int d, Segments segments, ChunkPlans chunks) {
        long[] origin = new long[counts.length];
        long[] shape = new long[counts.length];
        Arrays.fill(shape, 1);
        first[d] = new long[segments.count()];
        before[d] = new long[segments.count()];
        for (int i = 0; i < segments.count(); i++) {
            origin[d] = segments.begin(i);
            shape[d] = segments.end(i) - segments.begin(i);
            Box touched = chunks.grid().touched(Box.of(origin, shape));
            first[d][i] = touched.origin(d);
            before[d][i] = counts[d];
            counts[d] += touched.shape(d);
        }
    }

    /** Returns the number of touched cells. */
    long count() {
        return Shapes.count(counts);
    }

    /** Returns a cell by its number in C order. */
    long[] at(long number) {
        long[] cell = Shapes.unravel(number, counts);
        for (int d = 0; d < cell.length; d++) {
            int found = Arrays.binarySearch(before[d], cell[d]);
            // the last interval that begins at or before this touched cell
            int interval = found >= 0 ? found : -found - 2;
            cell[d] += first[d][interval] - before[d][interval];
        }
        return cell;
    }
}
