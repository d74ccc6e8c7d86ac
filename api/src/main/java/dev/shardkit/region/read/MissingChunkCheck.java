package dev.shardkit.region.read;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.MissingChunkException;

/**
 * A target that fails with a {@link dev.shardkit.spi.error.MissingChunkException} if it is filled with the fill value.
 * Codecs do that only where a chunk or an inner chunk is missing.
 *
 * @param region the region of the array that {@code target} receives
 */
record MissingChunkCheck(Target target, Box region) implements Target {
    @Override
    public void put(Elements source, long offset, long[] strides, Box box) {
        target.put(source, offset, strides, box);
    }

    @Override
    public void fill(FillValue value, Box box) {
        throw new MissingChunkException("region " + box.translate(region.origin()) + " is not stored");
    }
}
