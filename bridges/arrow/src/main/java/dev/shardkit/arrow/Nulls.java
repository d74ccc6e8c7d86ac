package dev.shardkit.arrow;

/**
 * Whether elements that equal the fill value become nulls of an Arrow column, and nulls become the fill value. Zarr
 * itself has no nulls. Times are the exception: "not a time" (NaT) and null always correspond to each other.
 */
public enum Nulls {
    /** Elements are never null, even if they equal the fill value. Nulls of Arrow are refused. */
    REFUSE,
    /**
     * The fill value of the array is null, in both directions. Values of Arrow that equal the fill value are refused,
     * because they would be read as null.
     */
    FILL_VALUE
}
