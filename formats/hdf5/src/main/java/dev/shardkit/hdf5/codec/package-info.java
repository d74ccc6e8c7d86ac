/**
 * The codecs of filters and number formats that no other module has. They know chunks as bytes, and nothing of files;
 * {@link dev.shardkit.hdf5.dataset.FilterCodecs} says which filter is which codec.
 */
@NullMarked
package dev.shardkit.hdf5.codec;

import org.jspecify.annotations.NullMarked;
