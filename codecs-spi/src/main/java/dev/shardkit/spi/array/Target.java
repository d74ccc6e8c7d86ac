package dev.shardkit.spi.array;

/**
 * The destination of decoded elements: a box-shaped window on the caller's memory, with coordinates from zero. Several
 * threads call it at once. The windows of different chunks never overlap, so implementations need no lock.
 *
 * <p>Implement it to receive more elements than one Java array can hold. Mirror of {@link Feed}.
 */
public interface Target {
    /**
     * Receives elements: the element at index {@code offset + sum(i[d] * strides[d])} of {@code from} goes to
     * {@code at.origin + i}, for all i within {@code at.shape}. Strides count elements.
     */
    void put(Elements from, long offset, long[] strides, Box at);

    /** Sets all elements of {@code at} to {@code value}. */
    void fill(FillValue value, Box at);

    /** Returns the part of this target at {@code at}, with coordinates from zero. */
    default Target window(Box at) {
        return new Windows.OfTarget(this, at);
    }

    /**
     * Returns a view of this target with its dimensions reordered: dimension i of the view is dimension
     * {@code order[i]} of this target.
     */
    default Target permute(int[] order) {
        return new Permutations.OfTarget(this, Shapes.inverse(order));
    }
}
