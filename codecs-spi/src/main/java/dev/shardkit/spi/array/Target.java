package dev.shardkit.spi.array;

/**
 * The destination of decoded elements: a box-shaped window on the caller's memory, with coordinates from zero. Several
 * threads call it at once. The windows of different chunks never overlap, so implementations need no lock.
 *
 * <p>Callers implement it to receive more elements than one Java array can hold. Mirror of {@link Feed}.
 */
public interface Target {
    /**
     * Receives elements: the element at index {@code offset + sum(i[d] * strides[d])} of {@code source} goes to
     * {@code box.origin + i}, for all i within {@code box.shape}. Strides count elements.
     */
    void put(Elements source, long offset, long[] strides, Box box);

    /** Sets all elements of {@code box} to {@code value}. */
    void fill(FillValue value, Box box);

    /** Returns the part of this target at {@code box}, with coordinates from zero. */
    default Target window(Box box) {
        return new OffsetViews.OfTarget(this, box);
    }

    /**
     * Returns a view of this target with its dimensions reordered: dimension i of the view is dimension
     * {@code order[i]} of this target.
     */
    default Target permute(int[] order) {
        return new TransposedViews.OfTarget(this, Shapes.inverse(order));
    }
}
