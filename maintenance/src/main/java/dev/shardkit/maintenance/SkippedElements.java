package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.type.MissingValues;
import java.util.Locale;

/** Selects the elements that {@link dev.shardkit.maintenance.stats.Statistics} and pyramids of OME-Zarr ignore. */
public enum SkippedElements {
    /** Ignores no elements: missing values count like other numbers, and one NaN makes the mean of a block NaN. */
    NONE,
    /**
     * Ignores missing elements: NaN, and elements that equal the array's attribute {@code _FillValue} or
     * {@code missing_value} (CF conventions, section 2.5.1). This is the default. These numbers mark elements without a
     * value; a mean of temperatures that includes some -32768 is wrong. In pyramids they would spread, because a mean
     * of four elements is NaN if one of them is: two percent of NaN in one level would become 8 percent in the next
     * level and 28 percent in the level after it.
     */
    MISSING,
    /**
     * Ignores missing elements, and elements that equal the fill value of the array. This is not the default, because
     * in many images the fill value 0 is a real value, black.
     */
    FILL;

    /** Returns the name in metadata and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the bit patterns of the elements of {@code array} that are ignored. */
    public MissingValues words(ZarrArray array) {
        if (this == NONE) {
            return MissingValues.NONE;
        }
        MissingValues missing =
                MissingValues.of(array.dataType(), array.metadata().attributes());
        return this == FILL ? missing.with(array.dataType(), array.fillValue()) : missing;
    }
}
