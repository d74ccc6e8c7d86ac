/**
 * webknossos-wrap: a folder with {@code header.wkw} becomes an array with the dimensions channel, x, y and z, and each
 * {@code .wkw} file a shard whose inner chunks are blocks. Users need not call this package: the service loader finds
 * the format, and its arrays open like those of Zarr v3.
 *
 * <p>The header has no shape. So the format lists the files, in local stores only; for other stores, the location
 * states the shape.
 */
@NullMarked
package dev.shardkit.wkw;

import org.jspecify.annotations.NullMarked;
