package dev.shardkit.spi.array;

/**
 * Where decoded elements go: a box-shaped window on the caller's memory, with coordinates from zero. Windows handed to
 * different chunks never overlap, so implementations need no lock, but several threads call them at once.
 *
 * <p>Implement it to receive more than one Java array can hold. Mirror of {@link Feed}.
 */
public interface Target {
    /**
     * Takes elements: that of index {@code offset + sum(i[d] * strides[d])} in {@code from} goes to {@code at.origin +
     * i}, for all i within {@code at.shape}. Strides count elements.
     */
    void put(Elements from, long offset, long[] strides, Box at);

    /** Sets all of {@code at} to {@code value}. */
    void fill(FillValue value, Box at);

    /** The part of this target at {@code at}, with coordinates from zero. */
    default Target window(Box at) {
        return new Windows.OfTarget(this, at.origin());
    }

    /**
     * This target with its dimensions in another order: dimension i of the view is dimension {@code order[i]} of this.
     */
    default Target permute(int[] order) {
        return new Permutations.OfTarget(this, Shapes.inverse(order));
    }
}
