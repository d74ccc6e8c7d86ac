/**
 * Conversion of arrays and groups of other formats to Zarr v3, in place or to another location:
 * {@link dev.shardkit.maintenance.convert.Conversion}. Copies are in {@code copy}.
 */
@NullMarked
package dev.shardkit.maintenance.convert;

import org.jspecify.annotations.NullMarked;
