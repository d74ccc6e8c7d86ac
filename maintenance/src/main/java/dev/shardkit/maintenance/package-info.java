/**
 * Stored arrays looked after: {@link dev.shardkit.maintenance.Verification} finds what is wrong with shards and chunks,
 * {@link dev.shardkit.maintenance.Repair} ends what crashes have left and removes what is damaged,
 * {@link dev.shardkit.maintenance.Compaction} gives back the bytes that appends and writes in place have left unused.
 */
@NullMarked
package dev.shardkit.maintenance;

import org.jspecify.annotations.NullMarked;
