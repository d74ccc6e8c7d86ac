/**
 * Making one array of several: {@link dev.shardkit.maintenance.concat.Concatenation} joins arrays,
 * {@link dev.shardkit.maintenance.concat.VirtualConcatenation} joins them by references, and
 * {@link dev.shardkit.maintenance.concat.Adoption} turns files of other programs into the chunks of an array. Copies of
 * one array are in {@code copy}.
 */
@NullMarked
package dev.shardkit.maintenance.concat;

import org.jspecify.annotations.NullMarked;
