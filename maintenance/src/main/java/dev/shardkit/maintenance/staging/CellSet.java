package dev.shardkit.maintenance.staging;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/** A set of cells of a grid, in C order, eight bytes each. Not thread-safe. */
public final class CellSet {
    private final long[] grid;
    private long[] numbers = new long[64];
    private int size;
    private boolean sorted = true;

    CellSet(long[] grid) {
        this.grid = grid.clone();
        Shapes.count(grid);
    }

    void add(Box cells) {
        for (long i = 0; i < cells.count(); i++) {
            add(Shapes.ravel(cells.at(i), grid));
        }
    }

    private void add(long number) {
        if (size > 0 && numbers[size - 1] == number) {
            return;
        }
        if (size == numbers.length) {
            sort();
            if (size > numbers.length / 2) {
                numbers = Arrays.copyOf(numbers, Math.multiplyExact(2, numbers.length));
            }
        }
        sorted &= size == 0 || numbers[size - 1] < number;
        numbers[size++] = number;
    }

    private void sort() {
        if (sorted) {
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
        sorted = true;
    }

    public int count() {
        sort();
        return size;
    }

    public long[] cell(int i) {
        return Shapes.unravel(numbers[i], grid);
    }
}
