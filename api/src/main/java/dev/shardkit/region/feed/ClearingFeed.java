package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import java.util.List;

/**
 * A feed that supplies the fill value for some boxes of a chunk and has holes elsewhere. {@code ChunkPlans} recognizes
 * it: a chunk whose stored elements in the boxes equal the fill value already is read but not written. Index zero of
 * the feed is the chunk's origin.
 *
 * @param boxes disjoint boxes in coordinates of the array
 * @param origin the chunk's origin
 * @param feed supplies the fill value in the boxes
 */
public record ClearingFeed(List<Box> boxes, long[] origin, FillValue fill, Feed feed) implements Feed {
    /** Creates a feed for the chunk at {@code origin}. */
    public ClearingFeed(List<Box> boxes, long[] origin, FillValue fill) {
        this(
                boxes,
                origin,
                fill,
                PartsFeed.of(
                        boxes.stream()
                                .map(box -> new WritePart(box, new FillFeed(fill)))
                                .toList(),
                        origin));
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        feed.get(part, destination, offset, strides);
    }

    @Override
    public Coverage coverage(Box part) {
        return feed.coverage(part);
    }
}
