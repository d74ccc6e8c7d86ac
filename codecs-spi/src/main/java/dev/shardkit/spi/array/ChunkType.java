package dev.shardkit.spi.array;

import java.util.Arrays;
import java.util.OptionalLong;

/** The type of a chunk, to which codecs are bound: data type, fill value and shape. An immutable value. */
public final class ChunkType {
    private final DataType dataType;
    private final FillValue fill;
    private final Box box;

    private ChunkType(DataType dataType, FillValue fill, Box box) {
        this.dataType = dataType;
        this.fill = fill;
        this.box = box;
    }

    /** Creates the type of chunks with shape {@code shape}. */
    public static ChunkType of(DataType dataType, FillValue fill, long[] shape) {
        return new ChunkType(dataType, fill, Box.of(shape));
    }

    /** Returns the data type of the elements. */
    public DataType dataType() {
        return dataType;
    }

    /** Returns the fill value. */
    public FillValue fill() {
        return fill;
    }

    /** Returns the shape. */
    public long[] shape() {
        return box.shape();
    }

    /** Returns the number of dimensions. */
    public int rank() {
        return box.rank();
    }

    /** Returns the box of the whole chunk. */
    public Box box() {
        return box;
    }

    /** Returns the number of elements. */
    public long count() {
        return box.count();
    }

    /** Returns the decoded size in bytes; empty if the size of elements varies. */
    public OptionalLong decodedSize() {
        return dataType.elementSize().isPresent()
                ? OptionalLong.of(Math.multiplyExact(
                        count(), (long) dataType.elementSize().getAsInt()))
                : OptionalLong.empty();
    }

    /** Returns the same type with another shape. */
    public ChunkType withShape(long[] other) {
        return of(dataType, fill, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkType t && dataType.equals(t.dataType) && fill.equals(t.fill) && box.equals(t.box);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * dataType.hashCode() + fill.hashCode()) + box.hashCode();
    }

    @Override
    public String toString() {
        return dataType.name() + Arrays.toString(box.shape());
    }
}
