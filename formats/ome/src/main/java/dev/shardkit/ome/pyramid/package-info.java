/**
 * Creates OME-Zarr pyramids and label images: reduces an array to coarser levels, writes their metadata, and lists
 * label images. Start at {@link dev.shardkit.ome.pyramid.Pyramid}, or at {@link dev.shardkit.ome.pyramid.PartedPyramid}
 * for several processes. Images are read in {@code dev.shardkit.ome}.
 */
@NullMarked
package dev.shardkit.ome.pyramid;

import org.jspecify.annotations.NullMarked;
