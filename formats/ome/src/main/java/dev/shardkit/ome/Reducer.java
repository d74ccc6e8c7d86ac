package dev.shardkit.ome;

import dev.shardkit.maintenance.SkippedElements;
import java.util.Locale;

/**
 * How several elements of a level become one of the next, coarser level. {@link SkippedElements} says which of them do
 * not count.
 */
public enum Reducer {
    /**
     * The mean, for images. Integers are rounded to the nearest, halves to the even one; sums of 64-bit integers are
     * exact. For numbers.
     */
    MEAN,
    /**
     * The most frequent value, for labels. If several are as frequent, the least of them. For integers and booleans.
     */
    MODE,
    /** The greatest value, which keeps small bright objects. For numbers and booleans. */
    MAX,
    /** The least value, which keeps small dark objects. For numbers and booleans. */
    MIN,
    /**
     * The value in the middle, which ignores outliers; of an even count, the mean of the two in the middle, as in
     * NumPy. For numbers.
     */
    MEDIAN,
    /**
     * The element in the middle of each block; of an even length, the one before the middle. For all data types of a
     * fixed size. {@link SkippedElements} do not apply: it takes the element that is there.
     */
    NEAREST;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
