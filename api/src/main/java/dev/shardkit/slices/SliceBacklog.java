package dev.shardkit.slices;

/**
 * The slices of a stream that are accepted but not stored, and the waits of the stream so far. Immutable.
 *
 * @param slices the number of slices that are accepted and not committed
 * @param bytes the bytes that they take in memory, encoded or not
 * @param waits how often a slice had to wait because the budget was used up
 * @param waitNanos how long slices waited for that reason, in nanoseconds
 */
public record SliceBacklog(long slices, long bytes, long waits, long waitNanos) {}
