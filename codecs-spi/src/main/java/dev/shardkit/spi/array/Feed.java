package dev.shardkit.spi.array;

/**
 * Where elements to be encoded come from: a box-shaped window on the caller's memory, with coordinates from zero.
 * Nobody changes it while it is read; several threads read it at once. Mirror of {@link Target}.
 */
public interface Feed {
    /**
     * Gives elements: that at {@code part.origin + i} goes to index {@code offset + sum(i[d] * strides[d])} of
     * {@code to}, for all i within {@code part.shape}. Strides count elements. Elements that the feed does not have
     * (see {@link #coverage}) stay as they are.
     */
    void get(Box part, Elements to, long offset, long[] strides);

    /**
     * How much of {@code part} this feed has; all, unless it has holes, where what is stored stays. Whoever wraps a
     * feed hands this on too.
     */
    default Coverage coverage(Box part) {
        return Coverage.ALL;
    }

    /** The part of this feed at {@code at}, with coordinates from zero. */
    default Feed window(Box at) {
        return new Windows.OfFeed(this, at.origin());
    }

    /**
     * This feed with its dimensions in another order: dimension i of the view is dimension {@code order[i]} of this.
     */
    default Feed permute(int[] order) {
        return new Permutations.OfFeed(this, Shapes.inverse(order));
    }
}
