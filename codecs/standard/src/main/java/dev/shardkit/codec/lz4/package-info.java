/**
 * The block format of LZ4, which blosc uses: a decoder and an encoder for byte arrays, in plain Java. Neither frames of
 * LZ4 nor codecs of Zarr are here.
 */
@NullMarked
package dev.shardkit.codec.lz4;

import org.jspecify.annotations.NullMarked;
