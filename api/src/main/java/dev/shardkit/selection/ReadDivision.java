package dev.shardkit.selection;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;

/**
 * The boxes of an array that a read of a selection visits. Each tile (inner chunk) that a box touches has selected
 * elements, so no inner chunk is read in vain.
 */
public interface ReadDivision {
    /** Returns the number of boxes. */
    long count();

    /** Returns box {@code i}. */
    Box box(long i);

    /** Returns a target for box {@code i} that passes its selected elements to {@code result}. */
    Target target(long i, Target result);
}
