package dev.shardkit.cf;

/**
 * How a selection by value finds the label of a coordinate: the equal label, the nearest one, or the next one before or
 * after the value.
 */
public enum CfMatch {
    /** The label that equals the value. */
    EXACT,
    /** The nearest label; the greater one of two that are equally near, as in xarray. */
    NEAREST,
    /**
     * The greatest label that is less than or equal to the value. On ascending coordinates, this is {@code ffill} of
     * xarray.
     */
    BEFORE,
    /**
     * The least label that is greater than or equal to the value. On ascending coordinates, this is {@code bfill} of
     * xarray.
     */
    AFTER
}
