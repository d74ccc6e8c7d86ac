package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;

/** A feed that supplies the fill value for every element of every box. */
public record FillFeed(FillValue fill) implements Feed {
    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        ElementCopy.fill(fill, destination, offset, strides, part.shape());
    }

    @Override
    public Coverage coverage(Box part) {
        return Coverage.FILL;
    }

    @Override
    public Feed window(Box box) {
        return this;
    }

    @Override
    public Feed permute(int[] order) {
        return this;
    }
}
