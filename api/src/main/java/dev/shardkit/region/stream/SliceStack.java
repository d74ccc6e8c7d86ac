package dev.shardkit.region.stream;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.List;

/**
 * A feed that stacks slices, each of length 1 in {@code dimension}, one behind the other in that dimension. It keeps
 * references to the slices and copies no elements. Immutable if the slices are.
 */
public record SliceStack(int dimension, List<Feed> slices) implements Feed {
    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        for (long z = part.origin(dimension); z < part.end(dimension); z++) {
            long start = offset + (z - part.origin(dimension)) * strides[dimension];
            slices.get((int) z).get(Boxes.cut(part, dimension, 0, 1), destination, start, strides);
        }
    }
}
