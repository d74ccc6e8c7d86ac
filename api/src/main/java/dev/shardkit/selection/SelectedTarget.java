package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/** Passes the selected elements of an array to a target of the selection's shape, and discards the others. */
record SelectedTarget(Target result, ResultPositions positions) implements Target {
    @Override
    public void put(Elements source, long offset, long[] strides, Box area) {
        positions.each(
                area,
                (first, steps, box) -> result.put(
                        source,
                        ResultPositions.offset(first, offset, strides),
                        positions.strides(steps, strides),
                        box));
    }

    @Override
    public void fill(FillValue value, Box area) {
        positions.each(area, (first, steps, box) -> result.fill(value, box));
    }
}
