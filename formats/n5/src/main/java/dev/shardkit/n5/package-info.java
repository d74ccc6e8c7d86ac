/**
 * The format N5. Its documents ({@code attributes.json}) are converted to documents of Zarr v3. The codec
 * {@code n5_default} of zarr-extensions decodes its blocks. Users need not call this package: the service loader finds
 * the format, and nodes open like nodes of Zarr v3. The order of dimensions is the order in N5, so the first dimension
 * of an array varies fastest in a block.
 */
@NullMarked
package dev.shardkit.n5;

import org.jspecify.annotations.NullMarked;
