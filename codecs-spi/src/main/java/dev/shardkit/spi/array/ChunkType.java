package dev.shardkit.spi.array;

import java.util.Arrays;
import java.util.OptionalLong;

/** What a codec is bound to: the data type, the fill value and the shape of a chunk. Immutable, a value. */
public final class ChunkType {
    private final DataType dataType;
    private final FillValue fill;
    private final long[] shape;

    private ChunkType(DataType dataType, FillValue fill, long[] shape) {
        this.dataType = dataType;
        this.fill = fill;
        this.shape = shape;
    }

    /** A chunk of {@code shape}. */
    public static ChunkType of(DataType dataType, FillValue fill, long[] shape) {
        return new ChunkType(dataType, fill, shape.clone());
    }

    /** The elements' type. */
    public DataType dataType() {
        return dataType;
    }

    /** The fill value. */
    public FillValue fill() {
        return fill;
    }

    /** The shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** How many dimensions. */
    public int rank() {
        return shape.length;
    }

    /** All of it. */
    public Box box() {
        return Box.of(shape);
    }

    /** How many elements. */
    public long count() {
        return Shapes.count(shape);
    }

    /** The size of its elements in bytes; empty if it varies. */
    public OptionalLong decodedSize() {
        return dataType.elementSize().isPresent()
                ? OptionalLong.of(Math.multiplyExact(
                        count(), (long) dataType.elementSize().getAsInt()))
                : OptionalLong.empty();
    }

    /** The same with another shape. */
    public ChunkType withShape(long[] other) {
        return of(dataType, fill, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkType t
                && dataType.equals(t.dataType)
                && fill.equals(t.fill)
                && Arrays.equals(shape, t.shape);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * dataType.hashCode() + fill.hashCode()) + Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
        return dataType.name() + Arrays.toString(shape);
    }
}
