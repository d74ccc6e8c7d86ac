package dev.shardkit.ome.pyramid;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.spi.array.FloatingFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

    /** The attributes that say that the elements of an array are codes (CF, section 3.5). */
    private static final List<String> CODES = List.of("flag_values", "flag_masks");

    /**
     * Returns the attribute that says that the elements of {@code source} are codes: {@code flag_values} or
     * {@code flag_masks} of CF.
     */
    public static Optional<String> codesOf(ZarrArray source) {
        return CODES.stream()
                .filter(name -> source.attributes().get(name).isPresent())
                .findFirst();
    }

    /**
     * Returns the reducer for an array that is no label image: the mean, but {@link #MODE} for codes, because the mean
     * of two codes is another code, and {@link #NEAREST} for codes in floating-point numbers.
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
