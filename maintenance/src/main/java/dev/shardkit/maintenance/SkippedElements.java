package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.type.MissingValues;
import java.util.Locale;

/** The elements that {@link dev.shardkit.maintenance.stats.Statistics} and pyramids of OME-Zarr do not count. */
public enum SkippedElements {
    /** None: missing values count like other numbers, and one NaN makes the mean of a pyramid's block NaN. */
    NONE,
    /**
     * NaN, and elements that equal the array's attribute {@code _FillValue} or {@code missing_value} (CF conventions,
     * section 2.5.1); the default. They mark elements without a value: a mean of temperatures with some -32768 is
     * wrong. In pyramids they would spread: two percent of NaN in one level would become 8 percent in the next level
     * and 28 percent in the level after it.
     */
    MISSING,
    /**
     * Missing elements, and elements that equal the fill value of the array. This is not the default, because the fill
     * value of many images is a true 0, black.
     */
    FILL;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the bit patterns of an array's elements that are skipped. */
    public MissingValues words(ZarrArray array) {
        if (this == NONE) {
            return MissingValues.NONE;
        }
        MissingValues missing =
                MissingValues.of(array.dataType(), array.metadata().attributes());
        return this == FILL ? missing.with(array.dataType(), array.fillValue()) : missing;
    }
}
