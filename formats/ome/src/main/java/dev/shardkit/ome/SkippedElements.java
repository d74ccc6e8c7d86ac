package dev.shardkit.ome;

import java.util.Locale;

/**
 * The elements that do not count when several elements of a level become one of the next level. If none of a block
 * counts, the result is the first of them. {@link Reducer#NEAREST} takes its element in any case.
 */
public enum SkippedElements {
    /** None: a NaN makes the mean and the maximum NaN, and missing values are numbers like others. */
    NONE,
    /**
     * NaN, and elements that equal the array's attribute {@code _FillValue} or {@code missing_value} (CF conventions,
     * section 2.5.1); the default. They mark elements without a value. If they counted, a few of them in level 0 would
     * be most of a coarse level: of a level with two percent of NaN, 8 percent of the next level and 28 percent of the
     * one after.
     */
    MISSING,
    /**
     * Missing elements, and those that equal the fill value of the array. This is not the default, because the fill
     * value of many images is a true 0, black.
     */
    FILL;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
