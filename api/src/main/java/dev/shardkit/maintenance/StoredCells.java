package dev.shardkit.maintenance;

import dev.shardkit.StoredChunks;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The chunks of an array that are stored, in C order; where the store cannot list, or keys do not tell their cells, all
 * of the grid. Immutable.
 */
final class StoredCells {
  private final long[] grid;
  private final Optional<long[]> numbers;
  private final long count;

  private StoredCells(long[] grid, Optional<long[]> numbers, long count) {
    this.grid = grid;
    this.numbers = numbers;
    this.count = count;
  }

  /** Those of {@code array}; {@code others} gets the keys of objects that are no chunks of it. */
  static StoredCells of(ZarrArray array, Consumer<String> others) {
    StoredChunks chunks = array.storedChunks();
    long[] grid = chunks.cells();
    if (!tellsCells(chunks, grid)) {
      return all(grid);
    }
    Numbers listed = new Numbers();
    try {
      chunks.objects(key -> {
        Optional<long[]> cell = chunks.cell(key).filter(c -> inside(c, grid));
        if (cell.isPresent()) {
          listed.add(number(cell.get(), grid));
        } else {
          others.accept(key);
        }
      });
    } catch (UnsupportedException e) {
      return all(grid);
    }
    return new StoredCells(grid, Optional.of(listed.sorted()), listed.size);
  }

  private static StoredCells all(long[] grid) {
    return new StoredCells(grid, Optional.empty(), count(grid));
  }

  private static long count(long[] grid) {
    try {
      return Shapes.count(grid);
    } catch (ArithmeticException e) {
      throw new UnsupportedException("a grid of more than 2^63-1 chunks: " + Arrays.toString(grid));
    }
  }

  private static long number(long[] cell, long[] grid) {
    count(grid);
    return Shapes.ravel(cell, grid);
  }

  private static boolean inside(long[] cell, long[] grid) {
    for (int d = 0; d < grid.length; d++) {
      if (cell[d] >= grid[d]) {
        return false;
      }
    }
    return true;
  }

  /** Whether keys can be read backwards: tried with the key of the last chunk. */
  private static boolean tellsCells(StoredChunks chunks, long[] grid) {
    long[] last = Arrays.stream(grid).map(n -> Math.max(0, n - 1)).toArray();
    return chunks.cell(chunks.key(last)).map(c -> Arrays.equals(c, last)).orElse(false);
  }

  /** The same without those that {@code left} says, which are few; where all of a grid is meant, the same. */
  StoredCells without(Predicate<long[]> left) {
    if (numbers.isEmpty()) {
      return this;
    }
    long[] rest = Arrays.stream(numbers.get()).filter(n -> !left.test(Shapes.unravel(n, grid))).toArray();
    return new StoredCells(grid, Optional.of(rest), rest.length);
  }

  /** How many there are. */
  long count() {
    return count;
  }

  /** The cell of chunk {@code i}. */
  long[] at(long i) {
    return Shapes.unravel(numbers.isPresent() ? numbers.get()[(int) i] : i, grid);
  }

  /** A list of numbers, eight bytes each. */
  private static final class Numbers {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    long[] sorted() {
      long[] sorted = Arrays.copyOf(values, size);
      Arrays.sort(sorted);
      return sorted;
    }
  }
}
