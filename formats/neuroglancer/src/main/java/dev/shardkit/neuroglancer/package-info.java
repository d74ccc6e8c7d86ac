/**
 * The precomputed format of neuroglancer: the document {@code info} becomes a group with an array for each scale, whose
 * dimensions are x, y, z and channel. Users need not call this package: the service loader finds the format, and nodes
 * open like those of Zarr v3. Regions count from zero; the attribute {@code voxel_offset} holds the position of the
 * volume.
 *
 * <p>Where shards hold the chunks, a storage transformer finds them: it maps a chunk to a slice of a shard by a hash,
 * through two indexes.
 */
@NullMarked
package dev.shardkit.neuroglancer;

import org.jspecify.annotations.NullMarked;
