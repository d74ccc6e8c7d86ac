/**
 * Stored arrays looked after: {@link dev.shardkit.maintenance.Verification} finds what is wrong with shards and chunks,
 * {@link dev.shardkit.maintenance.Repair} ends what crashes have left and removes what is damaged,
 * {@link dev.shardkit.maintenance.Compaction} gives back the bytes that appends and writes in place have left unused.
 * {@link dev.shardkit.maintenance.Relayout} and {@link dev.shardkit.maintenance.Conversion} store arrays in another
 * way, {@link dev.shardkit.maintenance.Adoption} makes arrays of files that other programs wrote,
 * {@link dev.shardkit.maintenance.Concatenation} makes one array of several, and {@link dev.shardkit.maintenance.Copy}
 * copies arrays and groups to other stores.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
