/**
 * Codecs for the filters and number formats of HDF5 alone, such as N-bit and scale-offset. They know chunks as bytes,
 * and nothing of files; {@link dev.shardkit.hdf5.dataset.FilterCodecs} says which filter is which codec.
 */
@NullMarked
package dev.shardkit.hdf5.codec;

import org.jspecify.annotations.NullMarked;
