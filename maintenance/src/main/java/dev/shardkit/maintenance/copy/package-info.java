/**
 * Copies and moves of arrays and groups: {@link dev.shardkit.maintenance.copy.Copy} and
 * {@link dev.shardkit.maintenance.copy.Move}; in parts by several processes
 * {@link dev.shardkit.maintenance.copy.PartedCopy} and {@link dev.shardkit.maintenance.copy.PartedRechunk}. Changes of
 * an array in place are in {@code relayout}.
 */
@NullMarked
package dev.shardkit.maintenance.copy;

import org.jspecify.annotations.NullMarked;
