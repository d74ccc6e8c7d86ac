/**
 * webknossos-wrap: a folder with {@code header.wkw} becomes an array with the dimensions channel, x, y and z, and each
 * {@code .wkw} file a shard whose inner chunks are blocks. Users need not call this package: the service loader finds
 * the format, and its arrays open like those of Zarr v3.
 */
@NullMarked
package dev.shardkit.wkw;

import org.jspecify.annotations.NullMarked;
