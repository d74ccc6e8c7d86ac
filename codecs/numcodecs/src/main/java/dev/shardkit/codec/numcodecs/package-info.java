/** Codecs of the Python library numcodecs, under the {@code numcodecs.*} names that zarr-python writes. */
@NullMarked
package dev.shardkit.codec.numcodecs;

import org.jspecify.annotations.NullMarked;
