/**
 * Finding and repairing faults of stored arrays: {@link dev.shardkit.maintenance.check.Verification} finds faults in
 * shards and chunks, {@link dev.shardkit.maintenance.check.Repair} cleans up after crashes and removes damaged data,
 * and {@link dev.shardkit.maintenance.check.Compaction} reclaims the unused bytes that appends and writes in place
 * leave. {@code compare} compares two arrays.
 *
 * <p>Compaction and repair are edits like any other, under each shard's lock. A dry run makes the same plan and
 * discards its edit. A failure normally ends a plan, so a check wraps each part: the failure becomes a value, and the
 * other inner chunks are still checked.
 */
@NullMarked
package dev.shardkit.maintenance.check;

import org.jspecify.annotations.NullMarked;
