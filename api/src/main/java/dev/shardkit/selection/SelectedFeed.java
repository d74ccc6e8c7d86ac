package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;

/**
 * Gives the selected elements of an array from a feed of the selection's shape. The others are holes.
 *
 * @param whole how much of its box {@code values} has
 */
record SelectedFeed(Feed values, Places places, Coverage whole) implements Feed {
    @Override
    public void get(Box part, Elements to, long offset, long[] strides) {
        places.each(
                part,
                (first, steps, box) ->
                        values.get(box, to, Places.offset(first, offset, strides), places.strides(steps, strides)));
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
