/**
 * Maintenance of stored arrays. {@link dev.shardkit.maintenance.Verification} finds faults in shards and chunks,
 * {@link dev.shardkit.maintenance.Repair} cleans up after crashes and removes damaged data, and
 * {@link dev.shardkit.maintenance.Compaction} reclaims the unused bytes that appends and writes in place leave.
 * {@link dev.shardkit.maintenance.Relayout} and {@link dev.shardkit.maintenance.Conversion} change the layout or
 * format. {@link dev.shardkit.maintenance.Adoption} turns files of other programs into arrays, and
 * {@link dev.shardkit.maintenance.Concatenation} concatenates arrays. {@link dev.shardkit.maintenance.Copy},
 * {@link dev.shardkit.maintenance.Move} and {@link dev.shardkit.maintenance.Removal} copy, move and remove arrays and
 * groups, and {@link dev.shardkit.maintenance.ParentGroups} makes the groups above a new node.
 *
 * <p>{@link dev.shardkit.maintenance.LayoutAdvice} recommends a layout. {@link dev.shardkit.maintenance.StorageSize},
 * {@link dev.shardkit.maintenance.Statistics} and {@link dev.shardkit.maintenance.Comparison} report sizes, summarize
 * elements and compare arrays. {@link dev.shardkit.maintenance.HiddenNodes} finds nodes that readers do not find.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
