package dev.shardkit.spi.array;

/**
 * The source of the elements to encode: a box-shaped window on the caller's memory, with coordinates from zero. Several
 * threads read it at once. The memory must not change during that time. Mirror of {@link Target}.
 */
public interface Feed {
    /**
     * Copies elements of {@code part}: the element at {@code part.origin + i} goes to index {@code offset + sum(i[d] *
     * strides[d])} of {@code destination}, for all i within {@code part.shape}. Strides count elements. Elements that
     * the feed lacks (see {@link #coverage}) are not written.
     */
    void get(Box part, Elements destination, long offset, long[] strides);

    /**
     * Returns how much of {@code part} this feed has: all of it, unless the feed has holes, which keep the stored
     * elements. Feeds that wrap another feed must forward this method.
     */
    default Coverage coverage(Box part) {
        return Coverage.ALL;
    }

    /** Returns the part of this feed at {@code box}, with coordinates from zero. */
    default Feed window(Box box) {
        return new OffsetViews.OfFeed(this, box);
    }

    /**
     * Returns a view of this feed with its dimensions reordered: dimension i of the view is dimension {@code order[i]}
     * of this feed.
     */
    default Feed permute(int[] order) {
        return new TransposedViews.OfFeed(this, Shapes.inverse(order));
    }
}
