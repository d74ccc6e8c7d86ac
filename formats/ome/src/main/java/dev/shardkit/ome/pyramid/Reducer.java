package dev.shardkit.ome.pyramid;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.spi.array.FloatingFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Determines how the elements of a block become one element of the next coarser level of a pyramid.
 * {@link SkippedElements} selects elements that are ignored.
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

    /** The attributes which say that elements are codes, such as land-use classes (CF conventions, section 3.5). */
    private static final List<String> CODES = List.of("flag_values", "flag_masks");

    /**
     * Returns the name of the attribute which says that the elements of {@code source} are codes: {@code flag_values}
     * or {@code flag_masks} of the CF conventions. Empty if they are not codes.
     */
    public static Optional<String> codesOf(ZarrArray source) {
        return CODES.stream()
                .filter(name -> source.attributes().get(name).isPresent())
                .findFirst();
    }

    /**
     * Returns the default reducer for an array that is not a label image. It is the mean for measured values. For codes
     * it is {@link #MODE}, because the mean of two codes is an unrelated code; for codes in floating-point numbers,
     * which MODE does not support, it is {@link #NEAREST}.
     */
    public static Reducer defaultOf(ZarrArray source) {
        if (codesOf(source).isEmpty()) {
            return MEAN;
        }
        return source.dataType().number().orElse(null) instanceof FloatingFormat ? NEAREST : MODE;
    }

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
