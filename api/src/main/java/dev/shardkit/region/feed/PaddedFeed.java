package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.EncodedFeed;

/**
 * A feed for a whole chunk that the array's edge cuts. Inside the array, the elements come from {@code feed}; the rest
 * of the chunk is the fill value.
 *
 * @param valid the part of the chunk inside the array, in the chunk's coordinates
 */
public record PaddedFeed(Feed feed, Box valid, FillValue fill) implements Feed {
    /** Extends a feed to the whole chunk. If {@code feed} has encoded chunks, the result has them, too. */
    public static Feed of(Feed feed, Box valid, FillValue fill) {
        return feed instanceof EncodedFeed encoded
                ? new PaddedEncodedFeed(encoded, valid, fill)
                : new PaddedFeed(feed, valid, fill);
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        Box inside = part.intersect(valid);
        if (!inside.equals(part)) {
            ElementCopy.fill(fill, destination, offset, strides, part.shape());
        }
        if (!inside.isEmpty()) {
            long start = offset;
            for (int d = 0; d < strides.length; d++) {
                start += (inside.origin(d) - part.origin(d)) * strides[d];
            }
            feed.get(inside.relativeTo(valid), destination, start, strides);
        }
    }

    /** Returns a window of {@code feed} itself if the box is inside the array. */
    @Override
    public Feed window(Box box) {
        return valid.contains(box) ? feed.window(box.relativeTo(valid)) : Feed.super.window(box);
    }

    @Override
    public Coverage coverage(Box part) {
        Box inside = part.intersect(valid);
        return inside.isEmpty() ? Coverage.FILL : feed.coverage(inside.relativeTo(valid));
    }
}
