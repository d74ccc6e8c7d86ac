package dev.shardkit.cli.command;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;

/**
 * The values of the tour: a disc of rings in a square, zero around it. The script that wrote the zarr-python array uses
 * the same formula.
 *
 * @param size the side length of the square
 */
record RingPattern(long size) {
    /** Returns the value at a position. */
    short at(long y, long x) {
        long r2 = (2 * y - size) * (2 * y - size) + (2 * x - size) * (2 * x - size);
        return (short) (r2 < size * size ? (r2 / size * 7 + x) % 4096 + 1 : 0);
    }

    /** Returns the values of a region. */
    NdArray values(DataType type, Box region) {
        short[] values = new short[Math.toIntExact(region.count())];
        for (int i = 0; i < values.length; i++) {
            values[i] = at(region.origin(0) + i / region.shape(1), region.origin(1) + i % region.shape(1));
        }
        return NdArray.of(type, region.shape(), values);
    }
}
