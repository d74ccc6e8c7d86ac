/**
 * The metadata of OME-Zarr as values: axes, levels, labels, plates, display settings. Reads and writes JSON only, and
 * opens no arrays. Start at {@link dev.shardkit.ome.metadata.OmeMetadata}.
 */
@NullMarked
package dev.shardkit.ome.metadata;

import org.jspecify.annotations.NullMarked;
