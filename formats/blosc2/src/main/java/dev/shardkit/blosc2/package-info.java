/**
 * Reads Blosc2, by a store and by the codec of its chunks: arrays in frames, contiguous ({@code .b2nd} files) or sparse
 * (folders). The codec {@code blosc}, which is Blosc 1, is in {@code dev.shardkit.codec.blosc}. {@code b2nd:LOCATION}
 * is a read-only store with one array at its root. Its chunks are the chunks of the frame. Users need not call this
 * package, because the service loader finds the store.
 */
@NullMarked
package dev.shardkit.blosc2;

import org.jspecify.annotations.NullMarked;
