/**
 * Translates datasets to Zarr: element types, attributes as JSON, names of dimensions, codecs, chunks. Documents and
 * references are written above, in {@code dev.shardkit.hdf5}.
 */
@NullMarked
package dev.shardkit.hdf5.dataset;

import org.jspecify.annotations.NullMarked;
