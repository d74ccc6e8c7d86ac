package dev.shardkit.n5;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header of a block, big-endian: the mode and the number of dimensions in 16 bits each, the lengths in 32 bits
 * each, and in mode {@code varlength} the number of elements in 32 bits.
 *
 * @param mode the mode
 * @param shape the shape of the block, at most that of a chunk
 */
record BlockHeader(Mode mode, long[] shape) {
    /** What follows the header, by its number. */
    enum Mode {
        DEFAULT,
        VARLENGTH,
        OBJECT
    }

    private static final int START = 2 * Short.BYTES;

    static long size(int rank, Mode mode) {
        return START + (long) Integer.BYTES * (mode == Mode.VARLENGTH ? rank + 1 : rank);
    }

    long size() {
        return size(shape.length, mode);
    }

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
     * @param chunk the shape of a chunk, which no block exceeds
     */
    static BlockHeader decode(Bytes block, long[] chunk) {
        int rank = chunk.length;
        long needed = size(rank, Mode.DEFAULT);
        if (block.size() < START) {
            throw tooShort(needed, block);
        }
        ByteBuffer start = block.slice(0, START).buffer();
        int number = Short.toUnsignedInt(start.getShort());
        int dimensions = Short.toUnsignedInt(start.getShort());
        if (number == Mode.OBJECT.ordinal()) {
            throw new UnsupportedException("N5 block: mode 2 (object) holds no elements of an array");
        }
        if (number > Mode.OBJECT.ordinal()) {
            throw new CorruptDataException("N5 block: expected mode 0 (default) or 1 (varlength), found " + number);
        }
        if (dimensions != rank) {
            throw new CorruptDataException("N5 block: expected " + rank + " dimensions, found " + dimensions);
        }
        Mode mode = Mode.values()[number];
        needed = size(rank, mode);
        if (block.size() < needed) {
            throw tooShort(needed, block);
        }
        ByteBuffer rest = block.slice(START, needed - START).buffer();
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = Integer.toUnsignedLong(rest.getInt());
            if (shape[d] > chunk[d]) {
                throw new CorruptDataException("N5 block: expected a shape of at most " + Arrays.toString(chunk)
                        + ", found a length of " + shape[d] + " in dimension " + d);
            }
        }
        if (mode == Mode.VARLENGTH) {
            checkCount(shape, Integer.toUnsignedLong(rest.getInt()));
        }
        return new BlockHeader(mode, shape);
    }

    /** A varlength block may hold any number of elements; an array has one for each position. */
    private static void checkCount(long[] shape, long elements) {
        if (elements != Shapes.count(shape)) {
            throw new UnsupportedException("N5 block: mode 1 (varlength) with " + elements + " elements for the shape "
                    + Arrays.toString(shape) + " holds no elements of an array");
        }
    }

    private static CorruptDataException tooShort(long needed, Bytes block) {
        return new CorruptDataException(
                "N5 block: expected a header of at least " + needed + " bytes, found " + block.size() + " bytes");
    }
}
