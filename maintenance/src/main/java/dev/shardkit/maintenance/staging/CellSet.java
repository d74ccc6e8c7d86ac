package dev.shardkit.maintenance.staging;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * A set of cells of a grid, in C order: the blocks that a change of layout must build. Stores the linear index of each
 * cell, eight bytes. Not thread-safe.
 */
public final class CellSet {
    private final long[] grid;
    /** The linear indexes of the cells; may contain duplicates while they are unsorted. */
    private long[] numbers = new long[64];

    private int size;
    private boolean isSorted = true;

    CellSet(long[] grid) {
        this.grid = grid.clone();
        Shapes.count(grid); // throws if linear indexes do not fit into a long
    }

    /** Adds all cells in a box. */
    void add(Box cells) {
        for (long i = 0; i < cells.count(); i++) {
            add(Shapes.ravel(cells.at(i), grid));
        }
    }

    private void add(long number) {
        if (size > 0 && numbers[size - 1] == number) {
            return;
        }
        if (size == numbers.length) { // sorting removes duplicates; grows only if that frees too little
            sort();
            if (size > numbers.length / 2) {
                numbers = Arrays.copyOf(numbers, Math.multiplyExact(2, numbers.length));
            }
        }
        isSorted &= size == 0 || numbers[size - 1] < number;
        numbers[size++] = number;
    }

    /** Sorts the indexes and removes duplicates. */
    private void sort() {
        if (isSorted) {
            return;
        }
        Arrays.sort(numbers, 0, size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (kept == 0 || numbers[kept - 1] != numbers[i]) {
                numbers[kept++] = numbers[i];
            }
        }
        size = kept;
        isSorted = true;
    }

    /** Returns the number of cells. */
    public int count() {
        sort();
        return size;
    }

    /** Returns a cell by its position in C order. Call {@link #count()} first, which sorts the cells. */
    public long[] cell(int i) {
        return Shapes.unravel(numbers[i], grid);
    }
}
