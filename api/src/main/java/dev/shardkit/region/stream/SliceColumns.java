package dev.shardkit.region.stream;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Splits the slices of a stream along the grid of inner chunks. "The dimension" is the one along which slices follow
 * one another. A column is a line of inner chunks along the dimension; each slice crosses one inner chunk of every
 * column. A tile is the part of one slice in one column. Columns are numbered shard by shard, in C order. Immutable.
 */
final class SliceColumns {
    private final DataType type;
    private final FillValue fill;
    private final int dimension;
    private final long[] arrayShape;
    /** The shape of a shard. */
    private final long[] shard;
    /** The shape of an inner chunk. */
    private final long[] inner;
    /** The region of a slice, from 0 to 1 in the dimension. */
    private final Box region;
    /** The inner chunks that a slice crosses, as a box in the grid of inner chunks, of length 1 in the dimension. */
    private final Box cells;
    /** For each column, the linear index of its inner chunk in {@link #cells}. */
    private final int[] cellOf;
    /** For each linear index in {@link #cells}, the column: the inverse of {@link #cellOf}. */
    private final int[] columnOf;

    /** The cross-section of each column, see {@link #across(int)}. */
    private final Box[] across;

    /**
     * Finds the columns of slices in {@code region}.
     *
     * @param shard the shape of each shard
     * @param inner the shape of each inner chunk
     */
    SliceColumns(ArrayMetadata array, int dimension, long[] shard, long[] inner, Box region) {
        this.type = array.dataType();
        this.fill = array.fillValue();
        this.dimension = dimension;
        this.arrayShape = array.shape();
        this.shard = shard.clone();
        this.inner = inner.clone();
        this.region = Boxes.cut(region, dimension, 0, 1);
        this.cells = this.region.cells(inner);
        Integer[] order =
                IntStream.range(0, Math.toIntExact(cells.count())).boxed().toArray(Integer[]::new);
        Box shards = this.region.cells(shard);
        Arrays.sort(order, Comparator.comparingLong(i -> Shapes.ravel(shardOfCell(i, shards), shards.shape())));
        this.cellOf = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
        this.columnOf = new int[cellOf.length];
        for (int column = 0; column < cellOf.length; column++) {
            columnOf[cellOf[column]] = column;
        }
        Box regionInChunk = Boxes.cut(region, dimension, 0, inner[dimension]);
        this.across = new Box[cellOf.length];
        Arrays.setAll(
                across, i -> Boxes.cut(Box.cell(cells.at(cellOf[i]), inner).intersect(regionInChunk), dimension, 0, 1));
    }

    /** Returns the position of an inner chunk's shard in {@code shards}. */
    private long[] shardOfCell(int cell, Box shards) {
        long[] at = cells.at(cell);
        Arrays.setAll(at, d -> at[d] * inner[d] / shard[d] - shards.origin(d));
        return at;
    }

    DataType type() {
        return type;
    }

    FillValue fill() {
        return fill;
    }

    int dimension() {
        return dimension;
    }

    int count() {
        return cellOf.length;
    }

    /** Returns the number of slices in an inner chunk. */
    long depth() {
        return inner[dimension];
    }

    /** Returns the number of slices in a shard. */
    long shardDepth() {
        return shard[dimension];
    }

    long[] inner() {
        return inner.clone();
    }

    /** Returns the region of a slice, from 0 to 1 in the dimension. */
    Box region() {
        return region;
    }

    /** Returns the box of a column in one slice, in array coordinates, from 0 to 1 in the dimension. */
    Box across(int column) {
        return across[column];
    }

    /** Returns the size of a column's tile in bytes. */
    int tileBytes(int column) {
        return Math.toIntExact(across[column].count() * type.elementSize().orElseThrow());
    }

    /** Copies a part of a tile of a column, in C order, to {@code destination}. */
    void copy(ByteBuffer tile, int column, Box part, Elements destination, long offset, long[] strides) {
        long[] shape = across[column].shape();
        ElementCopy.copy(
                Elements.Fixed.in(type, tile),
                part.firstIn(shape),
                Shapes.strides(shape),
                destination,
                offset,
                strides,
                part.shape());
    }

    /**
     * Returns whether the tiles of a column, concatenated, are its inner chunk in C order. This holds if the tiles
     * cover the whole cross-section of the inner chunk, and all dimensions before that of the stream have length 1.
     */
    boolean isDense(int column) {
        boolean isDense = true;
        for (int d = 0; d < inner.length; d++) {
            if (d < dimension) {
                isDense &= inner[d] == 1;
            } else if (d > dimension) {
                isDense &= across[column].shape(d) == inner[d];
            }
        }
        return isDense;
    }

    /**
     * Returns whether slices cover the whole cross-section of the column's inner chunk, as far as it lies in the array.
     */
    boolean coversInner(int column) {
        return covers(Box.cell(cells.at(cellOf[column]), inner));
    }

    /** Returns whether slices cover the whole cross-section of the column's shard, as far as it lies in the array. */
    boolean coversShard(int column) {
        return covers(Box.cell(shardOf(column), shard));
    }

    private boolean covers(Box chunk) {
        long[] bounds = arrayShape.clone();
        bounds[dimension] = 1;
        return region.contains(Boxes.cut(chunk, dimension, 0, 1).intersect(Box.of(bounds)));
    }

    /** Returns the index of the column's shard in the chunk grid, with 0 in the dimension. */
    long[] shardOf(int column) {
        long[] at = cells.at(cellOf[column]);
        Arrays.setAll(at, d -> at[d] * inner[d] / shard[d]);
        return at;
    }

    /** Returns the index of the column's inner chunk in the grid of its shard, with 0 in the dimension. */
    long[] cellInShard(int column) {
        long[] at = cells.at(cellOf[column]);
        Arrays.setAll(at, d -> at[d] % (shard[d] / inner[d]));
        return at;
    }

    /** Returns the columns that intersect a box in array coordinates. */
    int[] touched(Box box) {
        Box touched = Boxes.cut(box, dimension, 0, 1).cells(inner).relativeTo(cells);
        int[] columns = new int[Math.toIntExact(touched.count())];
        Arrays.setAll(columns, i -> columnOf[Math.toIntExact(Shapes.ravel(touched.at(i), cells.shape()))]);
        return columns;
    }

    /** Returns whether an array of this shape differs from the stream's array at most in the dimension. */
    boolean hasSameCrossSection(long[] shape) {
        for (int d = 0; d < shape.length; d++) {
            if (d != dimension && shape[d] != arrayShape[d]) {
                return false;
            }
        }
        return true;
    }
}
