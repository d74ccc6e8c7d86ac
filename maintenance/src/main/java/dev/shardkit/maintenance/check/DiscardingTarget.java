package dev.shardkit.maintenance.check;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;

/** A target that discards all elements, for checks that decode a chunk only to see whether it decodes. Thread-safe. */
enum DiscardingTarget implements Target {
    /** The only instance. */
    TARGET;

    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {}

    @Override
    public void fill(FillValue value, Box at) {}

    @Override
    public Target window(Box at) {
        return this;
    }

    @Override
    public Target permute(int[] order) {
        return this;
    }
}
