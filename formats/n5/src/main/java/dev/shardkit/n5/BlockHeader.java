package dev.shardkit.n5;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header of an N5 block. It consists of big-endian numbers: the mode and the number of dimensions (16 bits each),
 * the length of each dimension (32 bits each) and, only in mode {@code varlength}, the number of elements (32 bits).
 *
 * @param mode the kind of content after the header
 * @param shape the shape of the block, at most the shape of a chunk
 */
record BlockHeader(Mode mode, long[] shape) {
    /** The content after the header. The ordinal is the number in the header. */
    enum Mode {
        DEFAULT,
        VARLENGTH,
        OBJECT
    }

    /** The size of the mode and the number of dimensions. */
    private static final int PREFIX_SIZE = 2 * Short.BYTES;

    /** Returns the size of a header in bytes. */
    static long size(int rank, Mode mode) {
        return PREFIX_SIZE + (long) Integer.BYTES * (mode == Mode.VARLENGTH ? rank + 1 : rank);
    }

    long size() {
        return size(shape.length, mode);
    }

    /** Encodes the header of a block in the default mode. */
    static Bytes encode(long[] shape) {
        ByteBuffer header = ByteBuffer.allocate((int) size(shape.length, Mode.DEFAULT));
        header.putShort((short) 0).putShort((short) shape.length);
        for (long length : shape) {
            header.putInt((int) length);
        }
        return Bytes.of(header.array());
    }

    /**
     * Decodes the header of a block.
     *
     * @param chunkShape the shape of a chunk, the maximum shape of a block
     */
    static BlockHeader decode(Bytes block, long[] chunkShape) {
        int rank = chunkShape.length;
        long requiredSize = size(rank, Mode.DEFAULT);
        if (block.size() < PREFIX_SIZE) {
            throw tooShort(requiredSize, block);
        }
        ByteBuffer prefix = block.slice(0, PREFIX_SIZE).buffer();
        int modeNumber = Short.toUnsignedInt(prefix.getShort());
        int dimensions = Short.toUnsignedInt(prefix.getShort());
        if (modeNumber == Mode.OBJECT.ordinal()) {
            throw new UnsupportedException("N5 block: mode 2 (object) holds no elements of an array");
        }
        if (modeNumber > Mode.OBJECT.ordinal()) {
            throw new CorruptDataException("N5 block: expected mode 0 (default) or 1 (varlength), found " + modeNumber);
        }
        if (dimensions != rank) {
            throw new CorruptDataException("N5 block: expected " + rank + " dimensions, found " + dimensions);
        }
        Mode mode = Mode.values()[modeNumber];
        requiredSize = size(rank, mode);
        if (block.size() < requiredSize) {
            throw tooShort(requiredSize, block);
        }
        ByteBuffer lengths =
                block.slice(PREFIX_SIZE, requiredSize - PREFIX_SIZE).buffer();
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = Integer.toUnsignedLong(lengths.getInt());
            if (shape[d] > chunkShape[d]) {
                throw new CorruptDataException("N5 block: expected a shape of at most " + Arrays.toString(chunkShape)
                        + ", found a length of " + shape[d] + " in dimension " + d);
            }
        }
        if (mode == Mode.VARLENGTH) {
            requireCount(shape, Integer.toUnsignedLong(lengths.getInt()));
        }
        return new BlockHeader(mode, shape);
    }

    /** Refuses blocks of varying length unless they have exactly one element for each index of their shape. */
    private static void requireCount(long[] shape, long elementCount) {
        if (elementCount != Shapes.count(shape)) {
            throw new UnsupportedException("N5 block: mode 1 (varlength) with " + elementCount
                    + " elements for the shape " + Arrays.toString(shape) + " holds no elements of an array");
        }
    }

    private static CorruptDataException tooShort(long requiredSize, Bytes block) {
        return new CorruptDataException(
                "N5 block: expected a header of at least " + requiredSize + " bytes, found " + block.size() + " bytes");
    }
}
