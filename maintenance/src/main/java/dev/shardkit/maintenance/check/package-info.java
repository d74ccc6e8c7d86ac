/**
 * Finding and mending faults of stored arrays: {@link dev.shardkit.maintenance.check.Verification} finds faults in
 * shards and chunks, {@link dev.shardkit.maintenance.check.Repair} cleans up after crashes and removes damaged data,
 * and {@link dev.shardkit.maintenance.check.Compaction} reclaims the unused bytes that appends and writes in place
 * leave. Whether two arrays are equal is in {@code compare}.
 */
@NullMarked
package dev.shardkit.maintenance.check;

import org.jspecify.annotations.NullMarked;
