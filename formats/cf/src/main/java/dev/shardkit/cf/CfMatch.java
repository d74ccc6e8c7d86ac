package dev.shardkit.cf;

/**
 * How a selection by value finds the label of a coordinate: the equal label, the nearest one, or the next one before or
 * after the value.
 */
public enum CfMatch {
    /** The equal label. */
    EXACT,
    /** The nearest label; the greater one of two that are equally near, as in xarray. */
    NEAREST,
    /** The greatest label that is not greater. On ascending coordinates, this is {@code ffill} of xarray. */
    BEFORE,
    /** The least label that is not less. On ascending coordinates, this is {@code bfill} of xarray. */
    AFTER
}
