package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;

/** Divides the read of a selection into boxes of the array. Each tile in a box has selected elements. */
public interface Division {
    /** Returns the number of boxes. */
    long count();

    /** Returns box {@code i}. */
    Box box(long i);

    /** Returns a target for box {@code i} that passes its selected elements to {@code result}. */
    Target target(long i, Target result);
}
