/**
 * Replacing the stored objects of an array in place: {@link dev.shardkit.maintenance.relayout.Relayout} changes its
 * shards and chunks, in parts by {@link dev.shardkit.maintenance.relayout.PartedRelayout}, and
 * {@link dev.shardkit.maintenance.relayout.Replacement} all its elements. Readers see the old array or the new one.
 * {@code staging} stages and swaps the new objects.
 */
@NullMarked
package dev.shardkit.maintenance.relayout;

import org.jspecify.annotations.NullMarked;
