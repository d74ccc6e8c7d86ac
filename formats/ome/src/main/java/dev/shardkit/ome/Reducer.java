package dev.shardkit.ome;

import java.util.Locale;

/**
 * How several elements of a level become one of the next, coarser level. {@link SkippedElements} says which of them do
 * not count.
 */
public enum Reducer {
    /**
     * The mean, for images. Integers are rounded to the nearest, halves to the even one; sums of 64-bit integers are
     * exact.
     */
    MEAN,
    /** The most frequent value, for labels; the least of several. For integers and booleans only. */
    MODE,
    /** The greatest value, which keeps small bright objects. */
    MAX,
    /** The element in the middle of each block, or the one before the middle. For all data types of a fixed size. */
    NEAREST;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
