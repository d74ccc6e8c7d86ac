/**
 * The format of webknossos-wrap. A folder with {@code header.wkw} is an array with the dimensions channel, x, y and z.
 * Each {@code .wkw} file is a shard, and its blocks are the inner chunks. Users need not call this package: the service
 * loader finds the format, and its arrays open like arrays of Zarr v3.
 *
 * <p>The header has no shape. So the format lists the files, but only in local stores. For other stores, the location
 * must state the shape.
 */
@NullMarked
package dev.shardkit.wkw;

import org.jspecify.annotations.NullMarked;
