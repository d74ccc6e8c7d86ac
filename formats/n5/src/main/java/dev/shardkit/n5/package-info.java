/**
 * N5: its documents ({@code attributes.json}) become documents of Zarr v3, and its blocks are read by the codec
 * {@code n5_default} of zarr-extensions. Users need not call this package: the service loader finds the format, and
 * nodes open like those of Zarr v3. The dimensions keep N5's order, so the first dimension of an array varies fastest
 * in a block.
 */
@NullMarked
package dev.shardkit.n5;

import org.jspecify.annotations.NullMarked;
