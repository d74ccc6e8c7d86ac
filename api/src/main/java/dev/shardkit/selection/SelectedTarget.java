package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/** Passes the selected elements of an array to a target of the selection's shape, and discards the others. */
record SelectedTarget(Target result, ResultPositions places) implements Target {
    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {
        places.each(
                at,
                (first, steps, box) -> result.put(
                        from, ResultPositions.offset(first, offset, strides), places.strides(steps, strides), box));
    }

    @Override
    public void fill(FillValue value, Box at) {
        places.each(at, (first, steps, box) -> result.fill(value, box));
    }
}
