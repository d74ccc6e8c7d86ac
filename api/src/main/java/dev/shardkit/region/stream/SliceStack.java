package dev.shardkit.region.stream;

import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.List;

/**
 * A feed over several slices of length 1, one behind another in one dimension. It copies no elements and waits for no
 * slice. As immutable as the slices.
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
