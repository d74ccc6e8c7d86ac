package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;

/**
 * Supplies the selected elements of an array, from a feed of the selection's shape. The other elements of the array are
 * holes.
 *
 * @param whole how much of the selection {@code values} covers
 */
record SelectedFeed(Feed values, ResultPositions places, Coverage whole) implements Feed {
    @Override
    public void get(Box part, Elements to, long offset, long[] strides) {
        places.each(
                part,
                (first, steps, box) -> values.get(
                        box, to, ResultPositions.offset(first, offset, strides), places.strides(steps, strides)));
    }

    @Override
    public Coverage coverage(Box part) {
        long count = places.count(part);
        if (count == 0 || whole == Coverage.NONE) {
            return Coverage.NONE;
        }
        return count == part.count() ? whole : Coverage.SOME;
    }
}
