package dev.shardkit.spark.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Collects rows into the elements of one shard: a Java array for each column, with the fill value where there is no
 * row.
 */
final class ShardCells {
    private final WriteShards write;
    private final Box box;
    private final List<Object> elements = new ArrayList<>();
    /** The elements that have a row, by their index in C order. */
    private final BitSet filled = new BitSet();

    ShardCells(WriteShards write, List<ZarrArray> arrays, Box box) {
        this.write = write;
        this.box = box;
        arrays.forEach(array -> elements.add(fill(array, box)));
    }

    /** Returns a Java array of fill values: the elements of an array that stores nothing. */
    private static Object fill(ZarrArray array, Box box) {
        MemoryStore empty = MemoryStore.create();
        return Zarr.openArray(empty, "", array.metadata().withShape(box.shape()), ZarrOptions.defaults())
                .read()
                .array();
    }

    /** Returns the elements of an array, in C order. */
    Object elements(int array) {
        return elements.get(array);
    }

    /**
     * Stores the values of a row. Its columns are the number of its shard, its coordinates and its values.
     *
     * @throws IllegalArgumentException if the row lies outside the shard, has the coordinates of another row, or has a
     *     value that the data type of its column cannot represent
     */
    void put(Row row) {
        int rank = box.rank();
        long index = 0;
        for (int d = 0; d < rank; d++) {
            if (row.isNullAt(1 + d)) {
                throw new IllegalArgumentException(
                        "a row has no coordinate " + write.dimensions().get(d));
            }
            long coordinate = row.getLong(1 + d);
            if (coordinate < box.origin(d) || coordinate >= box.end(d)) {
                Box region = write.region();
                throw new IllegalArgumentException("the row at " + coordinates(row) + " lies outside: expected "
                        + region.origin(d) + " <= " + write.dimensions().get(d) + " < " + region.end(d));
            }
            index = index * box.shape(d) + coordinate - box.origin(d);
        }
        int cell = (int) index;
        if (filled.get(cell)) {
            throw new IllegalArgumentException("two rows have the coordinates " + coordinates(row));
        }
        filled.set(cell);
        for (int i = 0; i < elements.size(); i++) {
            set(row, cell, i, row.get(1 + rank + i));
        }
    }

    /** Stores a value of a row; null only in columns of times, as NaT. */
    private void set(Row row, int cell, int i, @Nullable Object value) {
        OutputArray output = write.outputs().get(i);
        if (value == null && output.kind().isNullable()) {
            Column.setNull(elements.get(i), cell);
            return;
        } else if (value == null) {
            throw new IllegalArgumentException("column " + output.name() + " has no value at " + coordinates(row)
                    + "; leave the row out, and the element is the fill value");
        }
        try {
            output.kind().set(elements.get(i), cell, value);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "column " + output.name() + " at " + coordinates(row) + ": " + e.getMessage(), e);
        }
    }

    private String coordinates(Row row) {
        List<String> all = new ArrayList<>();
        for (int d = 0; d < box.rank(); d++) {
            all.add(write.dimensions().get(d) + "=" + row.get(1 + d));
        }
        return "(" + String.join(", ", all) + ")";
    }
}
