/**
 * Writing arrays and groups to another location or in another format: {@link dev.shardkit.maintenance.copy.Copy},
 * {@link dev.shardkit.maintenance.copy.Move} and {@link dev.shardkit.maintenance.copy.Conversion}; in parts by several
 * processes {@link dev.shardkit.maintenance.copy.PartedCopy} and {@link dev.shardkit.maintenance.copy.PartedRechunk}.
 * Changes of an array in place are in {@code relayout}.
 */
@NullMarked
package dev.shardkit.maintenance.copy;

import org.jspecify.annotations.NullMarked;
