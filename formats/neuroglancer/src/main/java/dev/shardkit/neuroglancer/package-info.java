/**
 * The precomputed format of neuroglancer: the document {@code info} becomes a group with an array for each scale, whose
 * dimensions are x, y, z and channel. Users need not call this package, because the service loader finds the format,
 * and nodes are opened like those of Zarr v3. Regions start at zero; the attribute {@code voxel_offset} contains the
 * position of the volume.
 *
 * <p>A storage transformer finds chunks in shards: a hash and two indexes map a chunk to a slice of a shard.
 */
@NullMarked
package dev.shardkit.neuroglancer;

import org.jspecify.annotations.NullMarked;
