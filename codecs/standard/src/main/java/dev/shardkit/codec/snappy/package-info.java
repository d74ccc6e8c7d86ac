/**
 * The block format of Snappy, which blosc uses: a decoder and an encoder for byte arrays, in plain Java. Neither frames
 * of Snappy nor codecs of Zarr are here.
 */
@NullMarked
package dev.shardkit.codec.snappy;

import org.jspecify.annotations.NullMarked;
