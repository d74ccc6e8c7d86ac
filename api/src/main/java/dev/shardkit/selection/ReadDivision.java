package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;

/** The boxes of the array that a read of a selection visits. Each tile in a box has selected elements. */
public interface ReadDivision {
    /** Returns the number of boxes. */
    long count();

    /** Returns box {@code i}. */
    Box box(long i);

    /** Returns a target for box {@code i} that passes its selected elements to {@code result}. */
    Target target(long i, Target result);
}
