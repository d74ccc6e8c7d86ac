package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;

/**
 * Supplies the selected elements of an array, from a feed of the selection's shape. The other elements of the array are
 * holes.
 *
 * @param coverage the coverage of the whole selection by {@code values}
 */
record SelectedFeed(Feed values, ResultPositions positions, Coverage coverage) implements Feed {
    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        positions.each(
                part,
                (first, steps, box) -> values.get(
                        box,
                        destination,
                        ResultPositions.offset(first, offset, strides),
                        positions.strides(steps, strides)));
    }

    @Override
    public Coverage coverage(Box part) {
        long count = positions.count(part);
        if (count == 0 || coverage == Coverage.NONE) {
            return Coverage.NONE;
        }
        return count == part.count() ? coverage : Coverage.SOME;
    }
}
