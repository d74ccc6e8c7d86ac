/**
 * Maintenance of stored arrays. {@link dev.shardkit.maintenance.Verification} finds faults in shards and chunks,
 * {@link dev.shardkit.maintenance.Repair} cleans up after crashes and removes damaged data, and
 * {@link dev.shardkit.maintenance.Compaction} reclaims the unused bytes that appends and writes in place leave.
 * {@link dev.shardkit.maintenance.Relayout} and {@link dev.shardkit.maintenance.Conversion} change the layout or
 * format, {@link dev.shardkit.maintenance.Adoption} turns files of other programs into arrays,
 * {@link dev.shardkit.maintenance.Concatenation} concatenates arrays, and {@link dev.shardkit.maintenance.Copy} copies
 * arrays and groups to other stores.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
