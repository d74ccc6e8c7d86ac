package dev.shardkit.ome;

import dev.shardkit.maintenance.SkippedElements;
import java.util.Locale;

/**
 * The way in which several elements of a level become one element of the next coarser level. {@link SkippedElements}
 * selects elements that are ignored.
 */
public enum Reducer {
    /**
     * The mean, for images. Integers are rounded to the nearest integer, halves to the even one. Sums of 64-bit
     * integers are exact. For numbers.
     */
    MEAN,
    /**
     * The most frequent value, for labels. If several values are equally frequent, the smallest of them. For integers
     * and booleans.
     */
    MODE,
    /** The maximum, which keeps small bright objects. For numbers and booleans. */
    MAX,
    /** The minimum, which keeps small dark objects. For numbers and booleans. */
    MIN,
    /**
     * The median, which ignores outliers. For an even count, the mean of the two middle values, as in NumPy. For
     * numbers.
     */
    MEDIAN,
    /**
     * The element in the middle of each block; for an even length, the one before the middle. For all data types of a
     * fixed size. {@link SkippedElements} have no effect.
     */
    NEAREST;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
