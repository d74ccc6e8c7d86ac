package dev.shardkit.cli.command.serve;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;

/**
 * The test values of the tour: a disc of rings in a square, and zero around it. The script that wrote the array of
 * zarr-python uses the same formula.
 *
 * @param size the side length of the square
 */
record RingPattern(long size) {
    /** Returns the value at a position. */
    short value(long y, long x) {
        // Distances from the centre are doubled, so that they are integers for odd sizes, too.
        long squaredRadius = (2 * y - size) * (2 * y - size) + (2 * x - size) * (2 * x - size);
        return (short) (squaredRadius < size * size ? (squaredRadius / size * 7 + x) % 4096 + 1 : 0);
    }

    /** Returns the values of a region. */
    NdArray values(DataType type, Box region) {
        short[] values = new short[Math.toIntExact(region.count())];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(region.origin(0) + i / region.shape(1), region.origin(1) + i % region.shape(1));
        }
        return NdArray.of(type, region.shape(), values);
    }
}
