/**
 * Joining several arrays or files into one array: {@link dev.shardkit.maintenance.concat.Concatenation} joins arrays,
 * {@link dev.shardkit.maintenance.concat.VirtualConcatenation} joins them by references, and
 * {@link dev.shardkit.maintenance.concat.Adoption} turns files of other programs into the chunks of an array.
 * {@code copy} copies single arrays.
 */
@NullMarked
package dev.shardkit.maintenance.concat;

import org.jspecify.annotations.NullMarked;
