package dev.shardkit.cf;

/**
 * The kind of the decoded values of a variable: numbers, booleans, text, times, durations or others. The stored data
 * type often differs: times are usually stored as integers.
 */
public enum CfKind {
    /** Physical numbers; missing ones are NaN. */
    NUMBER,
    /** True or false, by the attribute {@code dtype = "bool"} of xarray or by the data type. */
    BOOLEAN,
    /** Texts: also character arrays, whose last dimension counts the characters. */
    TEXT,
    /** Moments, by units such as {@code days since 2000-01-01} or by the data type {@code numpy.datetime64}. */
    TIME,
    /** Time spans, by xarray's attribute {@code dtype = "timedelta64[s]"} or by {@code numpy.timedelta64}. */
    DURATION,
    /** Stored elements that the conventions do not decode: complex numbers, records, bytes. */
    OTHER
}
