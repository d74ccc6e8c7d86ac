package dev.shardkit.cf;

import dev.shardkit.spi.array.Shapes;
import java.util.List;

/**
 * A block of rows of a {@link CfTable}. Many rows share a label, but memory holds it once: {@link #values} has each
 * element of a column once, and {@link #index} says which element belongs to a row. As thread-safe as {@link CfValues}.
 */
public final class CfRows {
    private final List<CfColumn> columns;
    private final long[] shape;
    private final List<Source> sources;
    private final int count;

    /**
     * The elements of a column.
     *
     * @param strides for each dimension of the block, the distance in {@code values} between neighbours; 0 in
     *     dimensions along which the elements repeat
     */
    record Source(CfValues values, long[] strides) {}

    CfRows(List<CfColumn> columns, long[] shape, List<Source> sources) {
        this.columns = List.copyOf(columns);
        this.shape = shape;
        this.sources = List.copyOf(sources);
        this.count = Math.toIntExact(Shapes.count(shape));
    }

    /** Returns the columns of the table. */
    public List<CfColumn> columns() {
        return columns;
    }

    /** Returns the number of rows. */
    public int count() {
        return count;
    }

    /** Returns the elements of a column, in C order of its own dimensions. */
    public CfValues values(int column) {
        return sources.get(column).values();
    }

    /**
     * Returns the index of a row's element in the C order of {@link #values}.
     *
     * @throws IndexOutOfBoundsException if there is no such column or row
     */
    public int index(int column, int row) {
        if (row < 0 || row >= count) {
            throw new IndexOutOfBoundsException("expected a row below " + count + ", found " + row);
        }
        long[] strides = sources.get(column).strides();
        long rest = row;
        long index = 0;
        for (int d = shape.length - 1; d >= 0; d--) {
            index += rest % shape[d] * strides[d];
            rest /= shape[d];
        }
        return (int) index;
    }

    @Override
    public String toString() {
        return count + " rows of " + columns.stream().map(CfColumn::name).toList();
    }
}
